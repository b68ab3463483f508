import type { FileDiff, JsonValue } from "@skein/contracts";
import { toToolDiff } from "@skein/contracts/tool-diff";
import { fileChangeProcessor, hasChanges } from "./file-change-processor.ts";
import { areDiffable, isDiffable, readHunks, toFileDiff, toPatchedDiff, toSnippetDiff } from "./file-diff.ts";
import { arrayField, booleanField, stringField } from "./json-fields.ts";
import { readNumberedLines } from "./numbered-lines.ts";
import { parseUnifiedPatch } from "./parse-unified-patch.ts";
import { hasSucceeded, type ToolObservation, type ToolProcessor } from "./tool-processor.ts";

const maxEdits = 500;
const pathNames = ["path", "file_path", "filePath"];

/** One replacement, or several in the same file (MultiEdit). */
export const editProcessor: ToolProcessor = {
  toolNames: ["edit", "Edit", "MultiEdit"],
  present(observation) {
    // an ACP agent's diff of the whole file is more precise than the text to replace
    if (hasChanges(observation)) return fileChangeProcessor.present(observation);
    const filePath = stringField(observation.structured, "filePath") ?? stringField(observation.input, ...pathNames);
    const subject = stringField(observation.input, ...pathNames) ?? filePath;
    const created = findCreated(observation);
    const summary = { action: created === undefined ? "update" : "write", subject } as const;
    // A failed edit changed nothing: a diff of the intended change would suggest that it had.
    if (!hasSucceeded(observation) || filePath === undefined) return { summary };
    const diff =
      created === undefined ? toEditDiff(observation, filePath) : toFileDiff({ filePath, oldContent: null, newContent: created });
    return diff === undefined ? { summary } : { summary, details: { type: "diff", data: toToolDiff(diff) } };
  },
};

function toEditDiff({ input, structured, output }: ToolObservation, filePath: string): FileDiff | undefined {
  const oldContent = stringField(structured, "oldContent", "originalFile", "originalFileContents");
  const newContent = stringField(structured, "newContent");
  if (oldContent !== undefined && newContent !== undefined) return toFileDiff({ filePath, oldContent, newContent });
  const edits = readEdits(structured) ?? readEdits(input);
  const hunks = readHunks(structured, "structuredPatch");
  if (hunks !== undefined && hunks.length > 0) return toPatchedDiff({ filePath, oldContent, hunks });
  const reported = parseUnifiedPatch(stringField(structured, "diff") ?? "");
  if (reported !== undefined) return toPatchedDiff({ filePath, oldContent, hunks: reported });
  if (edits === undefined || edits.length === 0) return undefined;
  const edited = oldContent === undefined ? undefined : applyEdits(oldContent, edits);
  if (oldContent !== undefined && edited !== undefined) return toFileDiff({ filePath, oldContent, newContent: edited });
  if (!areDiffable(edits.flatMap(({ oldText, newText }) => [oldText, newText]))) return undefined;
  const printed = structured === undefined ? findPrintedEdit(output, edits) : undefined;
  return printed === undefined ? toSnippetDiff(filePath, edits) : toSnippetDiff(filePath, [printed], printed.startLine);
}

/** Claude Code before 2.0 shows where it edited by printing the lines around it. If they occur twice, the position is unknown. */
function findPrintedEdit(output: string, edits: readonly TextEdit[]): { oldText: string; newText: string; startLine: number } | undefined {
  const [edit, ...more] = edits;
  const [, lines] =
    /^The file .{1,4096} has been updated\. Here's the result of running `cat -n` on a snippet[^\n]*:\n(.*)$/s.exec(output) ?? [];
  const printed = lines === undefined ? undefined : readNumberedLines(lines);
  if (printed === undefined || edit === undefined || more.length > 0 || edit.all || edit.newText === "") return undefined;
  const [before = "", after, ...others] = printed.content.split(edit.newText);
  if (after === undefined || others.length > 0) return undefined;
  return { oldText: `${before}${edit.oldText}${after}`, newText: printed.content, startLine: printed.startLine };
}

/** The text of a new file: an edit that replaces nothing creates one. */
function findCreated({ input, structured }: ToolObservation): string | undefined {
  const [edit, ...more] = readEdits(input) ?? [];
  if (edit === undefined || edit.oldText !== "" || more.length > 0) return undefined;
  // The previous content is reported: an empty file, for example.
  return stringField(structured, "oldContent", "originalFile", "originalFileContents") === undefined ? edit.newText : undefined;
}

interface TextEdit {
  oldText: string;
  newText: string;
  all: boolean;
}

function readEdits(value: JsonValue | undefined): TextEdit[] | undefined {
  const list = arrayField(value, "edits") ?? (value === undefined ? [] : [value]);
  // Each edit scans the whole file.
  if (list.length > maxEdits) return undefined;
  const edits = list.flatMap((item) => {
    const oldText = stringField(item, "oldText", "oldString", "old_string");
    const newText = stringField(item, "newText", "newString", "new_string");
    const all = booleanField(item, "replaceAll", "replace_all") ?? false;
    return oldText === undefined || newText === undefined ? [] : [{ oldText, newText, all }];
  });
  return edits.length === 0 ? undefined : edits;
}

/** Undefined if an edit does not match: what the agent replaced is not what it reported. */
function applyEdits(content: string, edits: readonly TextEdit[]): string | undefined {
  let result = content;
  for (const { oldText, newText, all } of edits) {
    if (oldText === "" || !isDiffable(result, newText) || !result.includes(oldText)) return undefined;
    result = all ? result.replaceAll(oldText, () => newText) : result.replace(oldText, () => newText);
  }
  return result;
}
