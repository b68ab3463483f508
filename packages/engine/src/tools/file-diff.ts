import type { DiffHunk, FileDiff, JsonValue, ToolDiff } from "@skein/contracts";
import { applyPatch } from "diff/lib/patch/apply.js";
import { structuredPatch } from "diff/lib/patch/create.js";
import { arrayField, countField } from "./json-fields.ts";

/** Above this size only hunks are kept: the whole file twice in every card would fill the page and the database. */
const maxContentLength = 256 * 1024;
/** Hunks beyond this are left out. */
const maxHunksLength = 512 * 1024;
/** Above this size there is no diff. */
const maxDiffLength = 2 * 1024 * 1024;
/** Two long files with nothing in common would take minutes: beyond this many edits one is shown as replaced by the other. */
const maxEdits = 2000;

const contextLines = 3;

/** A diff with the line numbers of the real file; undefined if the contents are too large. */
export function toFileDiff(input: { filePath: string; oldContent: string | null; newContent: string }): FileDiff | undefined {
  const oldContent = input.oldContent ?? "";
  const length = oldContent.length + input.newContent.length;
  if (length > maxDiffLength) return undefined;
  const hunks = input.oldContent === null ? toCreation(input.newContent) : toHunks(oldContent, input.newContent);
  return {
    filePath: input.filePath,
    change: input.oldContent === null ? "created" : "updated",
    ...(length <= maxContentLength ? { oldContent, newContent: input.newContent } : {}),
    hunks,
  };
}

/** Hunks that the agent computed, and the contents around them if both are known and consistent. */
export function toPatchedDiff(input: {
  filePath: string;
  oldContent: string | undefined;
  newContent?: string | undefined;
  hunks: readonly DiffHunk[];
}): FileDiff {
  const { filePath, oldContent } = input;
  const hunks = boundHunks(input.hunks);
  const diff: FileDiff = { filePath, change: "updated", hunks };
  if (oldContent === undefined || oldContent.length > maxContentLength) return diff;
  const newContent = input.newContent ?? applyHunks(oldContent, hunks);
  return newContent === undefined || oldContent.length + newContent.length > maxContentLength ? diff : { ...diff, oldContent, newContent };
}

function applyHunks(oldContent: string, hunks: DiffHunk[]): string | undefined {
  try {
    const patched = applyPatch(oldContent, { oldFileName: "", newFileName: "", oldHeader: "", newHeader: "", hunks });
    return patched === false ? undefined : patched;
  } catch {
    // Line counts that contradict the lines: the hunks can be displayed, but not applied.
    return undefined;
  }
}

/** The hunks that fit into a card, from the first on; a truncated hunk would contradict its own line counts. */
export function boundHunks(hunks: readonly DiffHunk[]): DiffHunk[] {
  let length = 0;
  const kept: DiffHunk[] = [];
  for (const hunk of hunks) {
    for (const line of hunk.lines) length += line.length + 1;
    if (length > maxHunksLength) break;
    kept.push(hunk);
  }
  return kept;
}

function toHunks(oldContent: string, newContent: string): DiffHunk[] {
  const patch = structuredPatch("", "", oldContent, newContent, undefined, undefined, {
    context: contextLines,
    maxEditLength: maxEdits,
  });
  if (patch === undefined) return [toReplacement(oldContent, newContent)];
  return patch.hunks.map(({ oldStart, oldLines, newStart, newLines, lines }) => ({ oldStart, oldLines, newStart, newLines, lines }));
}

/** A new file as one hunk; a diff against nothing would give the same more slowly. */
function toCreation(content: string): DiffHunk[] {
  if (content === "") return [];
  const lines = toLines(content).map((line) => `+${line}`);
  const newLines = lines.length;
  if (!content.endsWith("\n")) lines.push("\\ No newline at end of file");
  return [{ oldStart: 0, oldLines: 0, newStart: 1, newLines, lines }];
}

function toReplacement(oldContent: string, newContent: string): DiffHunk {
  const before = toLines(oldContent);
  const after = toLines(newContent);
  return {
    oldStart: before.length === 0 ? 0 : 1,
    oldLines: before.length,
    newStart: after.length === 0 ? 0 : 1,
    newLines: after.length,
    lines: [...before.map((line) => `-${line}`), ...after.map((line) => `+${line}`)],
  };
}

function toLines(content: string): string[] {
  if (content === "") return [];
  return (content.endsWith("\n") ? content.slice(0, -1) : content).split("\n");
}

/** Hunks that the agent computed, if they are well formed. */
export function readHunks(structured: JsonValue | undefined, name: string): DiffHunk[] | undefined {
  const items = arrayField(structured, name);
  if (items === undefined) return undefined;
  const hunks: DiffHunk[] = [];
  for (const item of items) {
    const oldStart = countField(item, 0, "oldStart");
    const oldLines = countField(item, 0, "oldLines");
    const newStart = countField(item, 0, "newStart");
    const newLines = countField(item, 0, "newLines");
    const lines = arrayField(item, "lines");
    if (oldStart === undefined || oldLines === undefined || newStart === undefined || newLines === undefined || lines === undefined) {
      return undefined;
    }
    hunks.push({ oldStart, oldLines, newStart, newLines, lines: lines.filter((line) => typeof line === "string") });
  }
  return hunks;
}

/** A replaced text. `startLine` is its position in the file; absent if unknown. */
export function toSnippetDiff(filePath: string, edits: readonly { oldText: string; newText: string }[], startLine?: number): ToolDiff {
  const place = (line: number): number => (startLine === undefined ? 0 : line + startLine - 1);
  const hunks = boundHunks(edits.flatMap(({ oldText, newText }) => toHunks(oldText, newText)));
  return {
    filePath,
    change: "updated",
    scope: "snippet",
    oldContent: edits.map(({ oldText }) => oldText).join("\n"),
    newContent: edits.map(({ newText }) => newText).join("\n"),
    // The end of a snippet is not the end of its file.
    hunks: hunks.map((hunk) => ({
      ...hunk,
      oldStart: place(hunk.oldStart),
      newStart: place(hunk.newStart),
      lines: hunk.lines.filter((line) => !line.startsWith("\\")),
    })),
  };
}

/** Whether two contents are small enough to be compared. */
export function isDiffable(...contents: string[]): boolean {
  return areDiffable(contents);
}

/** Not spread into arguments: a file of a million lines would overflow the stack. */
export function areDiffable(contents: readonly string[]): boolean {
  return contents.reduce((sum, content) => sum + content.length, 0) <= maxDiffLength;
}
