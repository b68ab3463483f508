import type { DiffHunk, FileDiff } from "@skein/contracts";
import { parseUnifiedPatch } from "@skein/engine";

export type DiffRow =
  | { kind: "hunk"; header: string; hunk: DiffHunk }
  | { kind: "context"; oldLine: number | null; newLine: number | null; text: string }
  | { kind: "added"; newLine: number | null; text: string }
  | { kind: "removed"; oldLine: number | null; text: string }
  | { kind: "note"; text: string };

type DiffContent = Pick<FileDiff, "hunks" | "patch" | "newContent" | "oldContent" | "change">;

/**
 * The rows of a unified view, with the line numbers of the real file where they are known. A hunk at the beginning of a file has no header
 * unless `allHeaders` is set.
 */
export function toDiffRows(file: DiffContent, { allHeaders = false }: { allHeaders?: boolean } = {}): DiffRow[] {
  const hunks = file.hunks.length > 0 ? file.hunks : file.patch ? readPatch(file.patch) : wholeFile(file);
  return hunks.flatMap((hunk, index) => hunkRows(hunk, { withHeader: allHeaders || index > 0 || hunk.oldStart > 1 || hunk.newStart > 1 }));
}

export function countChanges(rows: readonly DiffRow[]): { additions: number; deletions: number } {
  let additions = 0;
  let deletions = 0;
  for (const row of rows) {
    if (row.kind === "added") additions++;
    else if (row.kind === "removed") deletions++;
  }
  return { additions, deletions };
}

function hunkRows(hunk: DiffHunk, { withHeader }: { withHeader: boolean }): DiffRow[] {
  const rows: DiffRow[] = [];
  const isNumbered = hunk.oldStart > 0 || hunk.newStart > 0;
  const header = isNumbered ? `@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@` : "@@";
  if (withHeader) rows.push({ kind: "hunk", header, hunk });
  let old = hunk.oldStart;
  let next = hunk.newStart;
  const oldLine = (): number | null => (isNumbered ? old++ : null);
  const newLine = (): number | null => (isNumbered ? next++ : null);
  for (const line of hunk.lines) {
    const text = line.slice(1);
    if (line.startsWith("+")) rows.push({ kind: "added", newLine: newLine(), text });
    else if (line.startsWith("-")) rows.push({ kind: "removed", oldLine: oldLine(), text });
    else if (line.startsWith("\\")) rows.push({ kind: "note", text: text.trim() });
    else rows.push({ kind: "context", oldLine: oldLine(), newLine: newLine(), text });
  }
  return rows;
}

function wholeFile(file: Pick<FileDiff, "newContent" | "oldContent" | "change">): DiffHunk[] {
  const lines = (content: string): string[] => (content === "" ? [] : content.replace(/\n$/, "").split("\n"));
  if (file.newContent !== undefined && !file.oldContent) {
    const added = lines(file.newContent);
    return [{ oldStart: 0, oldLines: 0, newStart: 1, newLines: added.length, lines: added.map((line) => `+${line}`) }];
  }
  if (file.oldContent !== undefined && file.change === "deleted") {
    const removed = lines(file.oldContent);
    return [{ oldStart: 1, oldLines: removed.length, newStart: 0, newLines: 0, lines: removed.map((line) => `-${line}`) }];
  }
  return [];
}

/** A patch without line numbers (`*** Begin Patch`), or with wrong ones, counts from 1. */
function readPatch(patch: string): DiffHunk[] {
  const numbered = parseUnifiedPatch(patch, { keepNotes: true });
  if (numbered !== undefined) return numbered;
  const lines = patch.split("\n").filter((line) => /^[ +-]/.test(line) && !/^(?:---|\+\+\+) /.test(line));
  if (lines.length === 0) return [];
  const count = (prefix: string): number => lines.filter((line) => line.startsWith(prefix) || line.startsWith(" ")).length;
  return [{ oldStart: 1, oldLines: count("-"), newStart: 1, newLines: count("+"), lines }];
}
