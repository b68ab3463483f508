import type { Task } from "@skein/contracts";
import { useTaskText } from "../i18n/task-text.ts";
import { useReadOnlyPlace } from "../team/read-only-place.ts";
import { Button } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { EditableText } from "./editable-text.tsx";

export interface EmptyConversationProps {
  task: Task;
  hasAttempt: boolean;
  /** The agent that would start; undefined while it is not known. */
  agentName: string | undefined;
  onDescription(description: string): Promise<void>;
  onStart(): void;
  /** Puts the description into the composer. */
  onUseDescription(): void;
}

/** Before the first message: the description of the task, and the ways to start. */
export function EmptyConversation({ task, hasAttempt, agentName, onDescription, onStart, onUseDescription }: EmptyConversationProps) {
  const text = useTaskText();
  const isReadOnly = useReadOnlyPlace();
  return (
    <div className="scroll-quiet min-h-0 flex-1 overflow-y-auto">
      <div className="mx-auto flex min-h-full w-full max-w-3xl flex-col justify-center gap-4 px-4 py-8 sm:px-6">
        <div>
          <h2 className="font-semibold">{hasAttempt ? text.task.noMessagesTitle : text.task.noAttemptTitle}</h2>
          {!isReadOnly && (
            <p className="mt-1 text-ink-soft">{hasAttempt ? text.task.noMessagesText : text.task.noAttemptText(agentName ?? "…")}</p>
          )}
        </div>
        <div className="-mx-1.5">
          {isReadOnly ? (
            <p className="whitespace-pre-wrap px-1.5 [overflow-wrap:anywhere]">{task.description}</p>
          ) : (
            <EditableText
              label={text.task.description}
              maxLength={100_000}
              multiline
              onSave={onDescription}
              placeholder={text.task.addDescription}
              value={task.description}
            />
          )}
        </div>
        {!isReadOnly && (
          <div className="flex flex-wrap gap-2">
            {!hasAttempt && (
              <Button look="primary" onClick={onStart} title={`${text.start.start} (S)`}>
                <Icon name="play" size={14} />
                {text.start.start}
              </Button>
            )}
            <Button onClick={onUseDescription}>
              <Icon name="arrowDown" size={14} />
              {text.task.useDescription}
            </Button>
          </div>
        )}
      </div>
    </div>
  );
}
