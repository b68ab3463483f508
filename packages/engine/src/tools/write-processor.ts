import type { FileDiff } from "@skein/contracts";
import { readHunks, toFileDiff, toPatchedDiff } from "./file-diff.ts";
import { booleanField, stringField } from "./json-fields.ts";
import { summarize } from "./summaries.ts";
import { hasSucceeded, type ToolObservation, type ToolProcessor } from "./tool-processor.ts";

const creating = { running: "Writing", done: "Created", failed: "Could not write" };
const updating = { running: "Writing", done: "Updated", failed: "Could not write" };

export const writeProcessor: ToolProcessor = {
  toolNames: ["write", "Write"],
  present(observation) {
    const filePath = stringField(observation.structured, "filePath") ?? stringField(observation.input, "path", "file_path");
    const verbs = isUpdate(observation) ? updating : creating;
    const summary = summarize(observation, verbs, stringField(observation.input, "path", "file_path") ?? filePath ?? "file");
    if (!hasSucceeded(observation) || filePath === undefined) return { summary };
    const diff = toWriteDiff(observation, filePath);
    return diff === undefined ? { summary } : { summary, details: { type: "diff", data: diff } };
  },
};

function isUpdate({ structured }: ToolObservation): boolean {
  return booleanField(structured, "created") === false || stringField(structured, "type") === "update";
}

function toWriteDiff(observation: ToolObservation, filePath: string): FileDiff | undefined {
  const { input, structured } = observation;
  const oldContent = stringField(structured, "oldContent", "originalFile");
  const newContent = stringField(structured, "newContent", "content") ?? stringField(input, "content");
  if (newContent === undefined) return undefined;
  if (!isUpdate(observation)) return toFileDiff({ filePath, oldContent: null, newContent });
  if (oldContent !== undefined) return toFileDiff({ filePath, oldContent, newContent });
  const hunks = readHunks(structured, "structuredPatch");
  return hunks === undefined ? undefined : toPatchedDiff({ filePath, oldContent, hunks });
}
