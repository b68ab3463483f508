import type { FileDiff } from "@skein/contracts";
import { toToolDiff } from "@skein/contracts/tool-diff";
import { isDiffable, toFileDiff, toSnippetDiff } from "./file-diff.ts";
import { stringField } from "./json-fields.ts";
import { hasSucceeded, type ToolObservation, type ToolProcessor } from "./tool-processor.ts";

/** Edits a cell of a Jupyter notebook. */
export const notebookEditProcessor: ToolProcessor = {
  toolNames: ["NotebookEdit"],
  present(observation) {
    const filePath = stringField(observation.input, "notebook_path") ?? stringField(observation.structured, "notebook_path");
    const cell = stringField(observation.input, "cell_id");
    const subject = filePath === undefined || cell === undefined ? filePath : `${filePath} › ${cell}`;
    const summary = { action: "update", subject } as const;
    // The tool can succeed and still report that it changed nothing.
    const error = stringField(observation.structured, "error") ?? "";
    if (!hasSucceeded(observation) || filePath === undefined || error !== "") return { summary };
    const diff = toNotebookDiff(observation, filePath);
    return diff === undefined ? { summary } : { summary, details: { type: "diff", data: toToolDiff(diff) } };
  },
};

function toNotebookDiff({ input, structured }: ToolObservation, filePath: string): FileDiff | undefined {
  const oldContent = stringField(structured, "original_file");
  const newContent = stringField(structured, "updated_file");
  if (oldContent !== undefined && newContent !== undefined) return toFileDiff({ filePath, oldContent, newContent });
  const source = stringField(structured, "new_source") ?? stringField(input, "new_source");
  if (source === undefined || !isDiffable(source)) return undefined;
  return toSnippetDiff(filePath, [{ oldText: "", newText: source }]);
}
