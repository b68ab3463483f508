import type { AttemptId } from "@skein/contracts";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { commitMessageModelQuery, gitApi } from "../api/git-api.ts";
import { useText } from "../i18n/locale.tsx";
import { Button } from "../ui/button.tsx";
import { FailureText } from "../ui/failure-text.tsx";
import { Icon, Spinner } from "../ui/icon.tsx";
import type { Action } from "../ui/use-action.ts";
import { useGitText } from "./use-git-text.ts";

export interface SuggestMessageProps {
  attemptId: AttemptId;
  /** The files to commit; undefined for all. */
  paths: string[] | undefined;
  disabled: boolean;
  /** Whether a model is being asked, and why it failed. */
  action: Action;
  /** What the user typed; null for nothing. */
  typed: string | null;
  onChange(typed: string | null): void;
}

/** Asks a model for the message, and takes its answer back again. Nothing is sent before the click, whose tooltip names the model. */
export function SuggestMessage({ attemptId, paths, disabled, action, typed, onChange }: SuggestMessageProps) {
  const words = useGitText().commit;
  const { app } = useText();
  const { data } = useQuery(commitMessageModelQuery(attemptId));
  const [replaced, setReplaced] = useState<{ before: string | null; by: string } | null>(null);
  const model = data?.model ?? null;
  if (model === null) return null;
  const suggest = () =>
    action.run(async () => {
      const { message } = await gitApi.suggestMessage(attemptId, { model, ...(paths === undefined ? {} : { paths }) });
      setReplaced({ before: typed, by: message });
      onChange(message);
    });
  return (
    <div className="mt-1.5 space-y-1.5">
      <div className="flex flex-wrap gap-2">
        <Button disabled={disabled || action.busy} onClick={() => void suggest()} title={words.suggestHint(model)}>
          {action.busy ? <Spinner size={14} /> : <Icon name="agent" size={14} />}
          {words.suggest}
        </Button>
        {replaced !== null && typed === replaced.by && (
          <Button
            look="quiet"
            onClick={() => {
              onChange(replaced.before);
              setReplaced(null);
            }}
          >
            {app.undo}
          </Button>
        )}
      </div>
      {action.failure && <FailureText {...action.failure} />}
    </div>
  );
}
