import type { DiffHunk } from "@skein/contracts";

const header = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/**
 * The hunks of one file's unified patch. A hunk ends where its counted lines end, so that a removed line `-- a` is not
 * taken for a file header. `*** Begin Patch` patches without line numbers count from 1.
 */
export function parseUnifiedPatch(patch: string): DiffHunk[] {
  const hunks: DiffHunk[] = [];
  let current: DiffHunk | null = null;
  let oldLeft = 0;
  let newLeft = 0;
  for (const line of patch.replace(/\n$/, "").split("\n")) {
    const match = header.exec(line);
    if (match && oldLeft <= 0 && newLeft <= 0) {
      const [, oldStart, oldLines = "1", newStart, newLines = "1"] = match;
      current = {
        oldStart: Number(oldStart),
        oldLines: Number(oldLines),
        newStart: Number(newStart),
        newLines: Number(newLines),
        lines: [],
      };
      oldLeft = current.oldLines;
      newLeft = current.newLines;
      hunks.push(current);
    } else if (current && (oldLeft > 0 || newLeft > 0 || line.startsWith("\\"))) {
      current.lines.push(line === "" ? " " : line);
      if (line.startsWith("+")) newLeft--;
      else if (line.startsWith("-")) oldLeft--;
      else if (!line.startsWith("\\")) {
        oldLeft--;
        newLeft--;
      }
    }
  }
  return hunks.length > 0 ? hunks : withoutNumbers(patch);
}

function withoutNumbers(patch: string): DiffHunk[] {
  const lines = patch.split("\n").filter((line) => /^[ +-]/.test(line) && !/^(?:---|\+\+\+) /.test(line));
  if (lines.length === 0) return [];
  const count = (prefix: string): number => lines.filter((line) => line.startsWith(prefix) || line.startsWith(" ")).length;
  return [{ oldStart: 1, oldLines: count("-"), newStart: 1, newLines: count("+"), lines }];
}
