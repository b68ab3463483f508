import type { AttemptId, GitConflict, ResolveConflict } from "@skein/contracts";
import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { conflictSidesQuery, gitApi } from "../api/git-api.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { DisclosureButton } from "../ui/disclosure-button.tsx";
import { ErrorText, useErrorText } from "../ui/error-text.tsx";
import { FailureText } from "../ui/failure-text.tsx";
import { Icon, Spinner } from "../ui/icon.tsx";
import { PathText } from "../ui/path-text.tsx";
import { showToast } from "../ui/toast.ts";
import { useAction } from "../ui/use-action.ts";
import type { GitDialogProps } from "./dialog-props.ts";
import { countOpen, toSideOwners } from "./to-git-bar.ts";
import { useGitText } from "./use-git-text.ts";

/** The files of an update that met conflicts, until it is finished or aborted. It can be left and opened again. */
export function ConflictDialog({ attemptId, state, operations, onClose }: GitDialogProps) {
  const text = useGitText();
  const words = text.conflict;
  const { conflict } = state;
  const [isNext, setIsNext] = useState(false);
  const { busy, failure, run } = useAction();
  const resolve = (body: ResolveConflict, onDone?: (conflict: GitConflict | null) => void) =>
    void run(async () => {
      const next = await gitApi.resolve(attemptId, body);
      operations.refresh(next);
      onDone?.(next.conflict);
    });
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
          {isNext && (
            <p className="text-sm text-warn" role="status">
              {words.next}
            </p>
          )}
          <ul className="divide-y divide-line rounded-md border border-line">
            {conflict.files.map((file) => (
              <FileRow attemptId={attemptId} busy={busy} conflict={conflict} file={file} key={file.path} onResolve={resolve} />
            ))}
          </ul>
          {failure && <FailureText {...failure} />}
          <div className="flex flex-wrap justify-end gap-2">
            <Button
              className="me-auto"
              disabled={busy}
              look="danger"
              onClick={() => resolve({ action: "abort" }, () => close(text.update.aborted))}
            >
              {words.abort}
            </Button>
            <Button
              disabled={busy || countOpen(conflict) === 0}
              onClick={() => resolve({ action: "agent", id: crypto.randomUUID() }, () => close(words.agentAsked))}
            >
              <Icon name="agent" size={14} />
              {words.agent}
            </Button>
            <Button disabled={busy || countOpen(conflict) > 0} look="primary" onClick={finish}>
              {busy && <Spinner size={14} />}
              {words.finish}
            </Button>
          </div>
        </div>
      )}
    </Dialog>
  );
}

interface FileRowProps {
  attemptId: AttemptId;
  conflict: GitConflict;
  file: GitConflict["files"][number];
  busy: boolean;
  onResolve(body: ResolveConflict): void;
}

function FileRow({ attemptId, conflict, file, busy, onResolve }: FileRowProps) {
  const words = useGitText().conflict;
  const [open, setOpen] = useState(false);
  const id = useId();
  const { path } = file;
  const owners = toSideOwners(conflict.method);
  const nameOf = (side: "ours" | "theirs") => (owners[side] === "base" ? conflict.baseBranch : words.attempt);
  const actions: { label: string; body: ResolveConflict }[] = [
    { label: words.ours(nameOf("ours")), body: { action: "use", path, side: "ours" } },
    { label: words.theirs(nameOf("theirs")), body: { action: "use", path, side: "theirs" } },
    ...(file.isResolved ? [] : [{ label: words.mark, body: { action: "mark-resolved" as const, path } }]),
  ];
  return (
    <li>
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1 px-2 py-1.5 text-sm">
        <DisclosureButton
          className="min-h-8 pointer-coarse:min-h-11 min-w-0 flex-1 basis-60 gap-2 rounded-md px-1"
          controls={id}
          onOpenChange={setOpen}
          open={open}
        >
          <span className="sr-only">{words.show(path)}</span>
          <span aria-hidden="true" className="flex min-w-0 flex-1">
            <PathText className="min-w-0 flex-1" text={path} />
          </span>
        </DisclosureButton>
        <span className={`text-xs ${file.isResolved ? "text-good" : "text-ink-faint"}`}>
          {file.isResolved ? words.resolved : `${words.open}: ${words.kinds[file.kind]}`}
        </span>
        <span className="flex flex-wrap gap-1">
          {actions.map(({ label, body }) => (
            <Button
              aria-label={words.ofFile(label, path)}
              className="h-7 px-2 text-xs"
              disabled={busy}
              key={label}
              onClick={() => onResolve(body)}
            >
              {label}
            </Button>
          ))}
        </span>
      </div>
      <div hidden={!open} id={id}>
        {open && <Sides attemptId={attemptId} nameOf={nameOf} path={path} />}
      </div>
    </li>
  );
}

/** The file before both changes and on either side: next to each other where there is room. */
function Sides({ attemptId, path, nameOf }: { attemptId: AttemptId; path: string; nameOf(side: "ours" | "theirs"): string }) {
  const words = useGitText().conflict;
  const describe = useErrorText();
  const { data, error } = useQuery(conflictSidesQuery(attemptId, path));
  if (error) return <ErrorText>{describe(error)}</ErrorText>;
  const sides = ["ours", "base", "theirs"] as const;
  return (
    <div className="grid gap-2 px-2 pb-2 md:grid-cols-3">
      {sides.map((side) => {
        const title = side === "base" ? words.sides.base : `${words.sides[side]} (${nameOf(side)})`;
        return (
          <figure className="min-w-0" key={side}>
            <figcaption className="mb-1 font-medium text-ink-soft text-xs">{title}</figcaption>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
            <pre className="scroll-quiet h-48 overflow-auto rounded-md bg-code p-2 text-xs" tabIndex={0}>
              {data && (data[side] ?? words.noText)}
            </pre>
          </figure>
        );
      })}
    </div>
  );
}
