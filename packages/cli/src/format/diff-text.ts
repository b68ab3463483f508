import type { AttemptDiff, ChangedFile } from "@skein/contracts";
import type { Paint } from "../terminal/style.ts";
import { toRevealedLine, toTerminalText } from "../terminal/terminal-text.ts";
import { formatTable } from "./table.ts";

const reasons: Record<NonNullable<ChangedFile["incomplete"]>, string> = {
  "too-large": "too large to compare",
  unreadable: "cannot be read",
  special: "not a regular file",
  "not-utf8": "contains bytes that are not UTF-8",
  "not-sent": "left out: the diff is too large",
};

/** A unified diff for reading on a terminal. It cannot be applied: control characters are replaced by their symbols. */
export function formatDiff({ files, truncated }: AttemptDiff, paint: Paint): string {
  const parts = files.map((file) => formatFile(file, paint));
  if (truncated) parts.push(paint("yellow", "The diff is too large to show completely. Open the worktree to see the rest."));
  return parts.join("\n\n");
}

/** One line for each file, and the total. */
export function formatDiffStat({ files }: AttemptDiff): string {
  const rows = files.map((file) => [toName(file), file.binary ? "binary" : `+${file.additions} −${file.deletions}`]);
  const sum = (count: (file: ChangedFile) => number): number => files.reduce((total, file) => total + count(file), 0);
  const total = `+${sum(({ additions }) => additions)} −${sum(({ deletions }) => deletions)}`;
  return formatTable(["FILE", "LINES"], [...rows, [formatFileCount(files.length), total]]);
}

export function formatFileCount(count: number): string {
  return count === 1 ? "1 file" : `${count} files`;
}

function formatFile(file: ChangedFile, paint: Paint): string {
  const lines = [paint("bold", `${file.change ?? "updated"} ${toName(file)}`)];
  if (file.incomplete !== undefined) lines.push(paint("dim", `(${reasons[file.incomplete]})`));
  else if (file.binary) lines.push(paint("dim", "(binary)"));
  for (const { oldStart, oldLines, newStart, newLines, lines: changed } of file.hunks) {
    lines.push(paint("cyan", `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`));
    for (const line of changed) lines.push(paintLine(toTerminalText(line), paint));
  }
  return lines.join("\n");
}

function toName({ filePath: path, oldPath }: ChangedFile): string {
  return oldPath === undefined ? toRevealedLine(path) : `${toRevealedLine(oldPath)} → ${toRevealedLine(path)}`;
}

function paintLine(line: string, paint: Paint): string {
  if (line.startsWith("+")) return paint("green", line);
  return line.startsWith("-") ? paint("red", line) : line;
}
