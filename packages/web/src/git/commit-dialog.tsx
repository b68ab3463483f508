import type { AttemptDiff, TaskId } from "@skein/contracts";
import { useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, useState } from "react";
import { gitApi, uncommittedQuery } from "../api/git-api.ts";
import { taskQuery } from "../api/queries.ts";
import { ChangeCount } from "../diff/change-count.tsx";
import { HooksHint } from "../git-hooks/hooks-hint.tsx";
import { OperationFailure } from "../git-hooks/operation-failure.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { DialogActions } from "../ui/dialog-actions.tsx";
import { ErrorText, useErrorText } from "../ui/error-text.tsx";
import { Field } from "../ui/field.tsx";
import { Spinner } from "../ui/icon.tsx";
import { PathText } from "../ui/path-text.tsx";
import { showToast } from "../ui/toast.ts";
import { useAction } from "../ui/use-action.ts";
import type { GitDialogProps } from "./dialog-props.ts";
import { messageFieldClass } from "./message-field-class.ts";
import { SuggestMessage } from "./suggest-message.tsx";
import { toCommitRequest } from "./to-commit-request.ts";
import { useGitText } from "./use-git-text.ts";

/** The message and the files of a commit; all of them unless some are unchecked. */
export function CommitDialog({ attemptId, taskId, operations, onClose }: GitDialogProps & { taskId: TaskId }) {
  const words = useGitText().commit;
  const describe = useErrorText();
  const { data: task } = useQuery(taskQuery(taskId));
  const { data: diff, error: failure } = useQuery(uncommittedQuery(attemptId));
  /** Null: nothing was typed, the task's title. */
  const [typed, setTyped] = useState<string | null>(null);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const { busy, failure: refusal, run } = useAction();
  const suggestion = useAction();
  const message = typed ?? task?.title ?? "";
  const request = diff && toCommitRequest({ message, files: diff.files, left });
  const commit = () => {
    if (!request || busy || suggestion.busy) return;
    void run(async () => {
      const { files, hooks } = await gitApi.commit(attemptId, request);
      await operations.refresh();
      operations.setHooks({ operation: "commit", run: hooks });
      showToast({ text: words.done(files), tone: "plain" });
      onClose();
    });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.repeat) return;
    event.preventDefault();
    commit();
  };
  return (
    <Dialog onKeyDown={onKeyDown} onOpenChange={(open) => !open && onClose()} open title={words.title} width="wide">
      <div className="space-y-3">
        <div>
          <Field label={words.message}>
            {(field) => (
              <textarea
                {...field}
                className={messageFieldClass}
                onChange={(event) => setTyped(event.target.value)}
                // what is typed now would be replaced
                readOnly={suggestion.busy}
                value={message}
              />
            )}
          </Field>
          <SuggestMessage
            action={suggestion}
            attemptId={attemptId}
            disabled={busy || !diff || diff.files.length === left.size}
            onChange={setTyped}
            paths={left.size === 0 ? undefined : diff?.files.map(({ filePath }) => filePath).filter((path) => !left.has(path))}
            typed={typed}
          />
        </div>
        {diff ? <Files diff={diff} left={left} onChange={setLeft} /> : !failure && <Spinner />}
        <HooksHint attemptId={attemptId} operation="commit" taskId={taskId} />
        {refusal ? (
          <OperationFailure attemptId={attemptId} failure={refusal} onAsked={onClose} operation="commit" taskId={taskId} />
        ) : (
          failure && <ErrorText>{describe(failure)}</ErrorText>
        )}
        <DialogActions busy={busy} disabled={busy || suggestion.busy || !request} keys="Ctrl/⌘ ↵" onCancel={onClose} onSubmit={commit}>
          {words.submit}
        </DialogActions>
      </div>
    </Dialog>
  );
}

function Files({ diff, left, onChange }: { diff: AttemptDiff; left: ReadonlySet<string>; onChange(left: ReadonlySet<string>): void }) {
  const words = useGitText().commit;
  const chosen = diff.files.filter(({ filePath }) => !left.has(filePath)).length;
  const isAll = chosen === diff.files.length;
  const toggle = (path: string) => {
    const next = new Set(left);
    if (!next.delete(path)) next.add(path);
    onChange(next);
  };
  return (
    <fieldset className="min-w-0">
      <legend className="sr-only">{words.files}</legend>
      <div className="rounded-md border border-line">
        <label className="flex min-h-8 pointer-coarse:min-h-11 items-center gap-2 border-line border-b px-2.5 text-sm">
          <input
            checked={isAll}
            className="size-4 accent-accent"
            onChange={() => onChange(isAll ? new Set(diff.files.map(({ filePath }) => filePath)) : new Set())}
            type="checkbox"
          />
          <span className="font-medium">{words.all}</span>
          <span className="ms-auto text-ink-faint text-xs tabular-nums">{words.chosen(chosen, diff.files.length)}</span>
        </label>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
        <ul className="scroll-quiet max-h-[35dvh] overflow-y-auto py-1" tabIndex={0}>
          {diff.files.map(({ filePath, additions, deletions }) => (
            <li key={filePath}>
              <label className="flex min-h-8 pointer-coarse:min-h-11 items-center gap-2 px-2.5 text-sm hover:bg-hover">
                <input
                  aria-label={words.file(filePath)}
                  checked={!left.has(filePath)}
                  className="size-4 shrink-0 accent-accent"
                  onChange={() => toggle(filePath)}
                  type="checkbox"
                />
                <PathText className="min-w-0 flex-1" text={filePath} />
                <ChangeCount additions={additions} deletions={deletions} />
              </label>
            </li>
          ))}
        </ul>
      </div>
      {diff.truncated && <p className="mt-1 text-warn text-xs">{words.truncated}</p>}
    </fieldset>
  );
}
