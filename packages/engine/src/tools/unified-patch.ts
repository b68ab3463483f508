import type { DiffHunk } from "@skein/contracts";

const header = /^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@/;

/**
 * The hunks of a unified patch of one file, with the line numbers that it tells. Undefined where it tells none, or where they
 * contradict its lines: then only the patch itself can be shown.
 */
export function parseUnifiedPatch(patch: string): DiffHunk[] | undefined {
  const hunks: DiffHunk[] = [];
  let open: { hunk: DiffHunk; oldLeft: number; newLeft: number } | undefined;
  for (const line of patch.replace(/\n$/, "").split("\n")) {
    if (open !== undefined && (open.oldLeft > 0 || open.newLeft > 0)) {
      const { hunk } = open;
      const mark = line.charAt(0);
      if (mark === "\\") continue;
      // Some tools strip the space of an empty line of context.
      const text = line === "" ? " " : line;
      if (mark !== "+") open.oldLeft -= 1;
      if (mark !== "-") open.newLeft -= 1;
      if (!" +-".includes(text.charAt(0)) || open.oldLeft < 0 || open.newLeft < 0) return undefined;
      hunk.lines.push(text);
      continue;
    }
    const found = header.exec(line);
    if (found === null) continue;
    const [, oldStart, oldLines = "1", newStart, newLines = "1"] = found;
    const hunk = {
      oldStart: Number(oldStart),
      oldLines: Number(oldLines),
      newStart: Number(newStart),
      newLines: Number(newLines),
      lines: [],
    };
    hunks.push(hunk);
    open = { hunk, oldLeft: hunk.oldLines, newLeft: hunk.newLines };
  }
  if (hunks.length === 0 || (open !== undefined && (open.oldLeft > 0 || open.newLeft > 0))) return undefined;
  return hunks;
}
