import type { FileDiff } from "@skein/contracts";
import { toToolDiff } from "@skein/contracts/tool-diff";
import { fileChangeProcessor, hasChanges } from "./file-change-processor.ts";
import { isDiffable, readHunks, toFileDiff, toPatchedDiff, toSnippetDiff } from "./file-diff.ts";
import { booleanField, stringField } from "./json-fields.ts";
import { hasSucceeded, type ToolObservation, type ToolProcessor } from "./tool-processor.ts";

/** Writes a whole file. */
export const writeProcessor: ToolProcessor = {
  toolNames: ["write", "Write"],
  present(observation) {
    // an ACP agent's diff of the whole file is more precise than the text to replace
    if (hasChanges(observation)) return fileChangeProcessor.present(observation);
    const filePath = stringField(observation.structured, "filePath") ?? stringField(observation.input, "path", "file_path", "filePath");
    const subject = stringField(observation.input, "path", "file_path", "filePath") ?? filePath;
    const summary = { action: hasSucceeded(observation) && isUpdate(observation) ? "update" : "write", subject } as const;
    if (!hasSucceeded(observation) || filePath === undefined) return { summary };
    const diff = toWriteDiff(observation, filePath);
    return diff === undefined ? { summary } : { summary, details: { type: "diff", data: toToolDiff(diff) } };
  },
};

function isUpdate({ structured, output }: ToolObservation): boolean {
  if (booleanField(structured, "created") === false || stringField(structured, "type") === "update") return true;
  // Older versions of Claude Code report it only in their text.
  return structured === undefined && /^The file .{1,4096} has been updated\b/.test(output);
}

function toWriteDiff(observation: ToolObservation, filePath: string): FileDiff | undefined {
  const { input, structured } = observation;
  const oldContent = stringField(structured, "oldContent", "originalFile");
  const newContent = stringField(structured, "newContent", "content") ?? stringField(input, "content");
  if (newContent === undefined) return undefined;
  if (!isUpdate(observation)) return toFileDiff({ filePath, oldContent: null, newContent });
  const hunks = readHunks(structured, "structuredPatch");
  if (hunks !== undefined && (hunks.length > 0 || oldContent === newContent)) {
    return toPatchedDiff({ filePath, oldContent, newContent, hunks });
  }
  if (oldContent !== undefined) return toFileDiff({ filePath, oldContent, newContent });
  return isDiffable(newContent) ? toSnippetDiff(filePath, [{ oldText: "", newText: newContent }]) : undefined;
}
