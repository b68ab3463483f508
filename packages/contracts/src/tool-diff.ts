import type { FileDiff, ToolDiff } from "./file-diff.ts";

/** A diff with contents: the given ones, or those derived from its hunks or patch. */
export function toToolDiff(diff: FileDiff & { scope?: ToolDiff["scope"] | undefined }): ToolDiff {
  const { oldContent, newContent, scope = "file" } = diff;
  if (oldContent !== undefined && newContent !== undefined) return { ...diff, oldContent, newContent, scope };
  const lines = diff.hunks.length > 0 ? diff.hunks.flatMap((hunk) => hunk.lines) : (diff.patch ?? "").split("\n");
  const side = (sign: "-" | "+"): string =>
    lines
      .filter((line) => line.startsWith(sign) || line.startsWith(" "))
      .map((line) => `${line.slice(1)}\n`)
      .join("");
  return { ...diff, oldContent: side("-"), newContent: side("+"), scope: "snippet" };
}
