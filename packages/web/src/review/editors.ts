import type { AttemptId, ChangedFile } from "@skein/contracts";
import type { CommentTarget } from "../api/review-api.ts";
import { type LineKey, type LinePlace, toLineKey } from "../diff/line-place.ts";
import { createExternalStore, type ExternalStore } from "../state/external-store.ts";

/** The editors of new comments. What was typed is kept when one is closed, until the page is reloaded. */
export interface Editors {
  open: ExternalStore<readonly CommentTarget[]>;
  start(target: CommentTarget): void;
  /** Extends the open editor of this file and side to the line; without one, it starts a comment on the line alone. */
  extend(path: string, place: LinePlace): void;
  close(target: CommentTarget): void;
  getText(target: CommentTarget): string;
  setText(target: CommentTarget, text: string): void;
}

/** The line below which a comment on this is drawn; null for a whole file, and for the attempt. */
export const keyOfTarget = ({ side, endLine }: CommentTarget): LineKey | null =>
  endLine === null ? null : toLineKey({ side, line: endLine });

/** The whole of a changed file. */
export const toFileTarget = ({ filePath, newId }: Pick<ChangedFile, "filePath" | "newId">): CommentTarget => ({
  ...{ path: filePath, side: newId === undefined ? "old" : "new", startLine: null, endLine: null },
});

const idOf = (target: CommentTarget): string => `${keyOfTarget(target) ?? "file"} ${target.path ?? ""}`;

export function createEditors(): Editors {
  const open = createExternalStore<readonly CommentTarget[]>([]);
  const texts = new Map<string, string>();
  const without = (target: CommentTarget) => open.get().filter((one) => idOf(one) !== idOf(target));
  const start = (target: CommentTarget) => open.set([...without(target), target]);
  const editors: Editors = {
    open,
    start,
    extend(path, { side, line }) {
      const before = open.get().findLast((target) => target.path === path && target.side === side && target.startLine !== null);
      if (before?.startLine == null || before.endLine === null) return start({ path, side, startLine: line, endLine: line });
      const after = { ...before, startLine: Math.min(before.startLine, line), endLine: Math.max(before.endLine, line) };
      const text = editors.getText(before);
      editors.setText(before, "");
      editors.setText(after, text || editors.getText(after));
      open.set([...without(before).filter((one) => idOf(one) !== idOf(after)), after]);
    },
    close: (target) => open.set(without(target)),
    getText: (target) => texts.get(idOf(target)) ?? "",
    setText(target, text) {
      if (text === "") texts.delete(idOf(target));
      else texts.set(idOf(target), text);
    },
  };
  return editors;
}

const known = new Map<AttemptId, Editors>();

/** Those of an attempt: they outlive the pane. */
export function editorsOf(attemptId: AttemptId): Editors {
  const editors = known.get(attemptId) ?? createEditors();
  known.set(attemptId, editors);
  return editors;
}
