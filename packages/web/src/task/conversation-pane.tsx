import type { Attempt, ImagePart, Task, UpdateTask } from "@skein/contracts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { api } from "../api/api.ts";
import { agentsQuery, attemptsQuery } from "../api/queries.ts";
import { Composer, type ComposerHandle } from "../composer/composer.tsx";
import { QueueList } from "../composer/queue-list.tsx";
import { ConversationList } from "../conversation/conversation-list.tsx";
import type { SendOptions } from "../conversation/conversation-session.ts";
import { type TaskConversation, useTaskConversation } from "../conversation/use-task-conversation.ts";
import { useText } from "../i18n/locale.tsx";
import { Button } from "../ui/button.tsx";
import { DisclosureProvider } from "../ui/disclosure.tsx";
import { ErrorText, useErrorText } from "../ui/error-text.tsx";
import { Icon } from "../ui/icon.tsx";
import { useShortcut } from "../ui/use-shortcut.ts";
import { addAttempt } from "./add-attempt.ts";
import { AttemptBar } from "./attempt-bar.tsx";
import { chooseAgent, defaultAttempt } from "./attempt-defaults.ts";
import { EditableText } from "./editable-text.tsx";
import { StatusAnnouncer } from "./status-announcer.tsx";

export interface ConversationPaneProps {
  task: Task;
  attempt: Attempt | undefined;
  onUpdate(changes: UpdateTask): Promise<void>;
}

export function ConversationPane({ task, attempt, onUpdate }: ConversationPaneProps) {
  const text = useText();
  const client = useQueryClient();
  const composer = useRef<ComposerHandle>(null);
  const { data: agents } = useQuery(agentsQuery);
  // Named when it is not the active one: the active one is followed, whichever it becomes.
  const conversation = useTaskConversation(task.id, attempt && !attempt.active ? attempt.id : undefined);
  useShortcut("m", () => composer.current?.focus());

  const send = async (message: string, images: readonly ImagePart[], options: SendOptions): Promise<void> => {
    if (!attempt) {
      const wanted = defaultAttempt(agents ?? (await client.fetchQuery(agentsQuery)));
      if (!wanted) throw new Error("The server knows no agent");
      const created = await api.createAttempt(task.id, wanted);
      client.setQueryData(attemptsQuery(task.id).queryKey, (known) => addAttempt(known, created));
    }
    if (!conversation) throw new Error("The conversation is not open yet");
    // What fails from here on stays in the conversation, with a way to send it again: the composer is free for the next one.
    void conversation.sendMessage(message, images, options);
  };
  const isEmpty =
    !attempt ||
    (conversation?.isLoaded && conversation.messages.length === 0 && conversation.outgoing.length === 0 && !conversation.isExecuting);
  const agent = agents && chooseAgent(agents);
  return (
    <DisclosureProvider>
      {isEmpty ? (
        <div className="scroll-quiet min-h-0 flex-1 overflow-y-auto">
          <div className="mx-auto flex min-h-full w-full max-w-3xl flex-col justify-center gap-4 px-4 py-8 sm:px-6">
            <div>
              <h2 className="font-semibold">{attempt ? text.task.noMessagesTitle : text.task.noAttemptTitle}</h2>
              <p className="mt-1 text-ink-soft">{attempt ? text.task.noMessagesText : text.task.noAttemptText(agent?.name ?? "…")}</p>
            </div>
            <div className="-mx-1.5">
              <EditableText
                label={text.task.description}
                maxLength={100_000}
                multiline
                onSave={(description) => onUpdate({ description })}
                placeholder={text.task.addDescription}
                value={task.description}
              />
            </div>
            <div>
              <Button onClick={() => composer.current?.setMessage([task.title, task.description].filter(Boolean).join("\n\n"))}>
                <Icon name="arrowDown" size={14} />
                {text.task.useDescription}
              </Button>
            </div>
          </div>
        </div>
      ) : conversation?.isLoaded ? (
        <ConversationList
          canUndoCompression={attempt?.agent === "native"}
          conversation={conversation}
          onEdit={({ commandId, text: message, images }) => {
            conversation.discard(commandId);
            composer.current?.setMessage(message, images);
          }}
        />
      ) : (
        <LoadingOrFailed conversation={conversation} />
      )}
      <div className="mx-auto w-full max-w-3xl shrink-0 px-3 pb-3 sm:px-6 sm:pb-4">
        <QueueList queue={conversation?.queue ?? []} />
        {attempt && !attempt.active ? (
          <NotActive attempt={attempt} />
        ) : (
          <>
            <Composer
              handle={composer}
              isExecuting={conversation?.isExecuting ?? false}
              onSend={send}
              onStop={() => conversation?.stopExecution() ?? Promise.resolve()}
              taskId={task.id}
            />
            {attempt && <AttemptBar agents={agents} attempt={attempt} messages={conversation?.messages ?? []} />}
          </>
        )}
      </div>
      <StatusAnnouncer approvals={conversation?.approvals.length ?? 0} isExecuting={conversation?.isExecuting ?? false} />
    </DisclosureProvider>
  );
}

function LoadingOrFailed({ conversation }: { conversation: TaskConversation | null }) {
  const text = useText();
  const describe = useErrorText();
  return (
    <div className="flex min-h-0 flex-1 items-center justify-center p-6">
      {conversation?.error ? (
        <div className="space-y-3 text-center">
          <p className="font-medium">{text.conversation.couldNotLoad}</p>
          <p className="text-ink-soft">{describe(conversation.error)}</p>
          <Button onClick={() => void conversation.reload()}>{text.app.retry}</Button>
        </div>
      ) : null}
    </div>
  );
}

function NotActive({ attempt }: { attempt: Attempt }) {
  const text = useText();
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
