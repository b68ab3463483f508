import type { FileDiff } from "@skein/contracts";
import { isDiffable, readHunks, toFileDiff, toSnippetPatch } from "./file-diff.ts";
import { stringField } from "./json-fields.ts";
import { summarize } from "./summaries.ts";
import { hasSucceeded, type ToolObservation, type ToolProcessor } from "./tool-processor.ts";

const verbs = { running: "Updating", done: "Updated", failed: "Could not update" };

export const editProcessor: ToolProcessor = {
  toolNames: ["edit", "Edit"],
  present(observation) {
    const filePath = stringField(observation.structured, "filePath") ?? stringField(observation.input, "path", "file_path");
    const summary = summarize(observation, verbs, stringField(observation.input, "path", "file_path") ?? filePath ?? "file");
    // A failed edit changed nothing: a diff of what it wanted would read as if it had.
    if (!hasSucceeded(observation) || filePath === undefined) return { summary };
    const diff = toEditDiff(observation, filePath);
    return diff === undefined ? { summary } : { summary, details: { type: "diff", data: diff } };
  },
};

function toEditDiff({ input, structured }: ToolObservation, filePath: string): FileDiff | undefined {
  const oldContent = stringField(structured, "oldContent");
  const newContent = stringField(structured, "newContent");
  if (oldContent !== undefined && newContent !== undefined) return toFileDiff({ filePath, oldContent, newContent });
  const hunks = readHunks(structured, "structuredPatch");
  if (hunks !== undefined && hunks.length > 0) return { filePath, change: "updated", hunks };
  const oldText = stringField(input, "oldText", "old_string");
  const newText = stringField(input, "newText", "new_string");
  if (oldText === undefined || newText === undefined || !isDiffable(oldText, newText)) return undefined;
  return { filePath, change: "updated", hunks: [], patch: toSnippetPatch(oldText, newText) };
}
