import type { Attempt } from "@skein/contracts";
import { useState } from "react";
import { api } from "../api/api.ts";
import type { TaskConversation } from "../conversation/use-task-conversation.ts";
import { useTaskText } from "../i18n/task-text.ts";
import { Button } from "../ui/button.tsx";
import { ErrorText, useErrorText } from "../ui/error-text.tsx";

export function LoadingOrFailed({ conversation }: { conversation: TaskConversation }) {
  const text = useTaskText();
  const describe = useErrorText();
  return (
    <div className="flex min-h-0 flex-1 items-center justify-center p-6">
      {conversation.error ? (
        <div className="space-y-3 text-center">
          <p className="font-medium">{text.conversation.couldNotLoad}</p>
          <p className="text-ink-soft">{describe(conversation.error)}</p>
          <Button onClick={() => void conversation.reload()}>{text.app.retry}</Button>
        </div>
      ) : null}
    </div>
  );
}

/** In place of the composer: messages go to the active attempt. */
export function NotActive({ attempt }: { attempt: Attempt }) {
  const text = useTaskText();
  const describe = useErrorText();
  const [error, setError] = useState<string | null>(null);
  return (
    <div className="flex flex-wrap items-center gap-3 rounded-xl border border-line bg-sunken px-4 py-3 text-sm">
      <p className="min-w-0 flex-1 text-ink-soft">{text.task.notActive}</p>
      <Button onClick={() => void api.activateAttempt(attempt.id).catch((failure: unknown) => setError(describe(failure)))}>
        {text.task.activate}
      </Button>
      {error && <ErrorText>{error}</ErrorText>}
    </div>
  );
}
