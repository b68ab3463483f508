import type { AttemptId, GitConflict, ResolveConflict } from "@skein/contracts";
import { useQuery } from "@tanstack/react-query";
import { useId, useRef, useState } from "react";
import { conflictSidesQuery } from "../api/git-api.ts";
import { useText } from "../i18n/locale.tsx";
import { Button } from "../ui/button.tsx";
import { DisclosureButton } from "../ui/disclosure-button.tsx";
import { ErrorText, useErrorText } from "../ui/error-text.tsx";
import { Spinner } from "../ui/icon.tsx";
import { PathText } from "../ui/path-text.tsx";
import { ConflictEditor } from "./conflict-editor.tsx";
import { ConflictSidesView } from "./conflict-sides.tsx";
import { toSideOwners } from "./to-git-bar.ts";
import { useGitText } from "./use-git-text.ts";

export interface ConflictFileProps {
  attemptId: AttemptId;
  conflict: GitConflict;
  file: GitConflict["files"][number];
  isOpenAtFirst: boolean;
  disabled: boolean;
  onResolve(body: ResolveConflict, onDone?: () => void): void;
}

/** A file of a conflict: one side of it is taken, its text is edited, or what is in the folder counts as resolved. */
export function ConflictFile({ attemptId, conflict, file, isOpenAtFirst, disabled, onResolve }: ConflictFileProps) {
  const words = useGitText().conflict;
  const { app } = useText();
  const [open, setOpen] = useState(isOpenAtFirst);
  const id = useId();
  const row = useRef<HTMLLIElement>(null);
  const { path, kind } = file;
  const owners = toSideOwners(conflict.method);
  const nameOf = (side: "ours" | "theirs") => (owners[side] === "base" ? conflict.baseBranch : words.attempt);
  const labelOf = (side: "ours" | "theirs") => {
    const deletes = kind === (side === "ours" ? "deleted-by-us" : "deleted-by-them");
    return (deletes ? words.deleteAs : words)[side](nameOf(side));
  };
  const actions: { label: string; body: ResolveConflict }[] = [
    { label: labelOf("ours"), body: { action: "use", path, side: "ours" } },
    { label: labelOf("theirs"), body: { action: "use", path, side: "theirs" } },
    ...(file.isResolved ? [] : [{ label: words.mark, body: { action: "mark-resolved" as const, path } }]),
  ];
  // the button may be gone then
  const focusRow = () => row.current?.querySelector("button")?.focus({ preventScroll: true });
  return (
    <li data-conflict={path} ref={row}>
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
          {file.isResolved ? words.resolved : app.labelled(words.open, words.kinds[kind])}
        </span>
        <span className="flex flex-wrap gap-1">
          {actions.map(({ label, body }) => (
            <Button
              aria-label={words.ofFile(label, path)}
              className="pointer-fine:h-7 px-2 text-xs"
              disabled={disabled}
              key={label}
              onClick={() => onResolve(body, focusRow)}
            >
              {label}
            </Button>
          ))}
        </span>
      </div>
      <div hidden={!open} id={id}>
        {open && (
          <Contents
            attemptId={attemptId}
            disabled={disabled}
            nameOf={nameOf}
            onResolve={onResolve}
            path={path}
            version={`${conflict.applying?.commit} ${file.isResolved}`}
          />
        )}
      </div>
    </li>
  );
}

interface ContentsProps extends Pick<ConflictFileProps, "attemptId" | "disabled" | "onResolve"> {
  path: string;
  version: string;
  nameOf(side: "ours" | "theirs"): string;
}

function Contents({ attemptId, path, version, nameOf, disabled, onResolve }: ContentsProps) {
  const describe = useErrorText();
  const { data, error } = useQuery(conflictSidesQuery(attemptId, path, version));
  if (error) return <ErrorText>{describe(error)}</ErrorText>;
  if (!data) return <Spinner />;
  return (
    <div className="space-y-3 px-2 pb-3">
      <ConflictSidesView file={data} nameOf={nameOf} />
      <ConflictEditor attemptId={attemptId} disabled={disabled} file={data} onResolve={onResolve} />
    </div>
  );
}
