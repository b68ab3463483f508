import type { GitConflict, ResolveConflict } from "@skein/contracts";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { conflictSidesKey, gitApi } from "../api/git-api.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { FailureText } from "../ui/failure-text.tsx";
import { Icon, Spinner } from "../ui/icon.tsx";
import { showToast } from "../ui/toast.ts";
import { useAction } from "../ui/use-action.ts";
import { ConflictFile } from "./conflict-file.tsx";
import type { GitDialogProps } from "./dialog-props.ts";
import { countOpen } from "./to-git-bar.ts";
import { useGitText } from "./use-git-text.ts";

/** The files of an update that met conflicts, until it is finished or aborted. It can be left and opened again. */
export function ConflictDialog({ attemptId, state, operations, onClose }: GitDialogProps) {
  const text = useGitText();
  const words = text.conflict;
  const { conflict } = state;
  const [isNext, setIsNext] = useState(false);
  const client = useQueryClient();
  const { busy, failure, run } = useAction();
  const resolve = (body: ResolveConflict, onDone?: (next: GitConflict | null) => void) =>
    void run(async () => {
      const reload = () => client.invalidateQueries({ queryKey: conflictSidesKey(attemptId) });
      // it may be refused because the file is another one
      const next = await gitApi.resolve(attemptId, body).catch(async (error: unknown) => {
        await reload();
        throw error;
      });
      void operations.refresh(next);
      onDone?.(next.conflict);
      if (next.conflict !== null) await reload();
    });
  const isAgentWorking = state.obstacles.discard?.text.code === "agent-working";
  const disabled = busy || isAgentWorking;
  const close = (report: string) => {
    showToast({ text: report, tone: "plain" });
    onClose();
  };
  const finish = () => resolve({ action: "finish" }, (next) => (next === null ? close(text.update.finished) : setIsNext(true)));
  return (
    <Dialog
      {...(conflict ? { description: words[conflict.method](conflict.baseBranch) } : {})}
      onOpenChange={(open) => !open && onClose()}
      open
      title={words.title}
      width="full"
    >
      {conflict === null ? (
        <p className="text-ink-soft text-sm">{words.none}</p>
      ) : (
        <div className="space-y-3">
          {conflict.applying && (
            <p className="text-ink-soft text-sm [overflow-wrap:anywhere]">
              {words.applying(conflict.applying.subject, conflict.applying.left)}
            </p>
          )}
          {isAgentWorking && (
            <p className="flex items-center gap-2 text-ink-soft text-sm" role="status">
              <Spinner size={14} />
              {words.agentWorking}
            </p>
          )}
          {isNext && (
            <p className="text-sm text-warn" role="status">
              {words.next}
            </p>
          )}
          <ul className="divide-y divide-line rounded-md border border-line">
            {conflict.files.map((file) => (
              <ConflictFile
                attemptId={attemptId}
                conflict={conflict}
                disabled={disabled}
                file={file}
                isOpenAtFirst={conflict.files.length === 1}
                key={`${conflict.applying?.commit} ${file.path}`}
                onResolve={resolve}
              />
            ))}
          </ul>
          {failure && <FailureText {...failure} />}
          <div className="flex flex-wrap justify-end gap-2">
            <Button
              className="me-auto"
              disabled={disabled}
              look="danger"
              onClick={() => resolve({ action: "abort" }, () => close(text.update.aborted))}
            >
              {words.abort}
            </Button>
            <Button
              disabled={disabled || countOpen(conflict) === 0}
              onClick={() => resolve({ action: "agent", id: crypto.randomUUID() }, () => close(words.agentAsked))}
            >
              <Icon name="agent" size={14} />
              {words.agent}
            </Button>
            <Button disabled={disabled || countOpen(conflict) > 0} look="primary" onClick={finish}>
              {busy && <Spinner size={14} />}
              {words.finish}
            </Button>
          </div>
        </div>
      )}
    </Dialog>
  );
}
