import type { AttemptId, ConflictSides, ResolveConflict } from "@skein/contracts";
import { type KeyboardEvent, useMemo, useRef, useState } from "react";
import { Button } from "../ui/button.tsx";
import { KeyHint } from "../ui/key-hint.tsx";
import { readConflictDraft, writeConflictDraft } from "./conflict-drafts.ts";
import { findMarkedConflicts, resolveMarked } from "./conflict-marks.ts";
import { findLineEnd, type LineEnd, withLineEnd } from "./line-ends.ts";
import { useGitText } from "./use-git-text.ts";

export interface ConflictEditorProps {
  attemptId: AttemptId;
  file: ConflictSides;
  disabled: boolean;
  /** Calls `onDone` when it was stored. */
  onResolve(body: ResolveConflict, onDone: () => void): void;
}

/** The file as it is in the folder, to be edited in place. What is typed is kept until it is saved, also across a reload. */
export function ConflictEditor(props: ConflictEditorProps) {
  const words = useGitText().conflict;
  const { kinds, current } = props.file;
  // a file that one side deleted is not there, or it is: either way it can be written
  const text = kinds.current === "text" ? current : kinds.current === "none" ? "" : null;
  const lineEnd = text === null ? null : findLineEnd(text);
  if (text === null || lineEnd === null) {
    const reason = kinds.current === "text" || kinds.current === "none" ? words.mixedLineEnds : words.notEditable[kinds.current];
    return <p className="text-ink-soft text-sm">{reason}</p>;
  }
  return <TextEditor {...props} key={props.file.path} lineEnd={lineEnd} stored={text.replaceAll("\r\n", "\n")} />;
}

function TextEditor({ attemptId, file, disabled, onResolve, stored, lineEnd }: ConflictEditorProps & { stored: string; lineEnd: LineEnd }) {
  const words = useGitText().conflict;
  const { path, currentId } = file;
  const field = useRef<HTMLTextAreaElement>(null);
  const [draft, setDraft] = useState(() => readConflictDraft(attemptId, path));
  const text = draft?.text ?? stored;
  const isStale = draft !== null && draft.currentId !== currentId;
  const conflicts = useMemo(() => findMarkedConflicts(text), [text]);
  /** The conflict that is chosen; after the last one is resolved, the one before it. */
  const [chosen, setChosen] = useState(0);
  const at = Math.min(chosen, conflicts.length - 1);
  const conflict = conflicts[at];

  const change = (next: string | null) => {
    const after = next === null ? null : { text: next, currentId: draft?.currentId ?? currentId };
    setDraft(after);
    writeConflictDraft(attemptId, path, after);
  };
  const save = () => {
    if (disabled || conflicts.length > 0) return;
    const content = withLineEnd(text, lineEnd);
    onResolve({ action: "write", path, content, currentId: draft?.currentId ?? currentId }, () => change(null));
  };
  const reveal = (index: number) => {
    const next = conflicts[index];
    if (next === undefined || !field.current) return;
    setChosen(index);
    showRange(field.current, next);
  };
  const take = (side: "ours" | "theirs" | "both") => {
    if (!conflict) return;
    change(resolveMarked(text, conflict, side));
    field.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !event.repeat) {
      event.preventDefault();
      save();
    } else if (event.altKey && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
      event.preventDefault();
      reveal(event.key === "ArrowDown" ? Math.min(at + 1, conflicts.length - 1) : Math.max(at - 1, 0));
    }
  };
  return (
    <div className="space-y-2">
      <p aria-hidden="true" className="font-medium text-ink-soft text-xs">
        {words.resultTitle}
      </p>
      {isStale && (
        <p className="flex flex-wrap items-center gap-2 rounded-md bg-warn-wash px-2 py-1 text-sm text-warn" role="status">
          <span className="min-w-0 flex-1">{words.stale}</span>
          <Button className="pointer-fine:h-7 px-2 text-xs" onClick={() => change(null)}>
            {words.reload}
          </Button>
        </p>
      )}
      {conflict && (
        <div className="flex flex-wrap items-center gap-1 text-xs">
          <span className="me-1 text-ink-soft tabular-nums" role="status">
            {words.marked(at + 1, conflicts.length)}
          </span>
          <Button className="pointer-fine:h-7 px-2 text-xs" disabled={at === 0} look="quiet" onClick={() => reveal(at - 1)} title="Alt+↑">
            {words.previousMark}
          </Button>
          <Button
            className="pointer-fine:h-7 px-2 text-xs"
            disabled={at === conflicts.length - 1}
            look="quiet"
            onClick={() => reveal(at + 1)}
            title="Alt+↓"
          >
            {words.nextMark}
          </Button>
          <span className="ms-auto flex flex-wrap gap-1">
            {(["ours", "theirs", "both"] as const).map((side) => (
              <Button className="pointer-fine:h-7 px-2 text-xs" key={side} onClick={() => take(side)}>
                {words.takeMarked[side]}
              </Button>
            ))}
          </span>
        </div>
      )}
      <textarea
        aria-label={words.result(path)}
        className="scroll-quiet block h-64 w-full resize-y overflow-auto whitespace-pre rounded-md border border-line-strong bg-canvas px-2.5 py-1.5 font-mono text-[0.8rem] leading-[1.55]"
        dir="ltr"
        onChange={(event) => change(event.target.value)}
        onKeyDown={onKeyDown}
        ref={field}
        spellCheck={false}
        value={text}
        wrap="off"
      />
      <div className="flex flex-wrap items-center justify-end gap-2">
        {conflicts.length > 0 && <span className="me-auto text-warn text-xs">{words.stillMarked(conflicts.length)}</span>}
        {draft !== null && (
          <Button disabled={disabled} look="quiet" onClick={() => change(null)}>
            {words.revert}
          </Button>
        )}
        <Button disabled={disabled || conflicts.length > 0} onClick={save}>
          {words.save}
          <KeyHint keys="Ctrl/⌘ ↵" />
        </Button>
      </div>
    </div>
  );
}

/** Selects a range and scrolls its first line into view: a browser scrolls to the cursor only while one types. */
function showRange(field: HTMLTextAreaElement, { start, end }: { start: number; end: number }): void {
  field.focus();
  field.setSelectionRange(start, end);
  const lines = field.value.split("\n").length;
  const line = field.value.slice(0, start).split("\n").length - 1;
  field.scrollTop = Math.max(0, (field.scrollHeight * line) / lines - field.clientHeight / 4);
}
