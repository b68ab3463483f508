import type { JsonValue, ToolDetails } from "@skein/contracts";
import { keepStart } from "../text/truncate.ts";
import { arrayField, asObject, countField, numberField, objectField, stringField, stringsField } from "./json-fields.ts";
import { readNumberedLines } from "./numbered-lines.ts";
import { summarize } from "./summaries.ts";
import { hasSucceeded, type ToolObservation, type ToolProcessor } from "./tool-processor.ts";

const maxContentLength = 256 * 1024;
const maxCells = 1000;
const verbs = { running: "Reading", done: "Read", failed: "Could not read" };

export const readProcessor: ToolProcessor = {
  toolNames: ["read", "Read", "NotebookRead"],
  present(observation) {
    const { input, structured } = observation;
    const file = objectField(structured, "file") ?? structured;
    const filePath = stringField(input, "path", "file_path", "filePath", "notebook_path") ?? stringField(file, "filePath");
    const summary = summarize(observation, verbs, filePath ?? "file");
    if (!hasSucceeded(observation) || filePath === undefined) return { summary };
    // Gemini CLI does not tell what it read: an empty file would be shown where there is none.
    if (observation.output === "" && asObject(file) === undefined) return { summary };
    return { summary, details: { type: "fileContent", data: { filePath, ...toContent(observation, file) } } };
  },
};

type Content = Omit<Extract<ToolDetails, { type: "fileContent" }>["data"], "filePath">;

function toContent({ input, output }: ToolObservation, file: JsonValue | undefined): Content {
  const totalLines = countField(file, 0, "totalLines");
  const cells = arrayField(file, "cells");
  if (cells !== undefined) return toBounded(toNotebookText(cells), 1);
  const content = stringField(file, "content");
  if (content !== undefined) {
    const startLine = countField(file, 1, "startLine") ?? Math.max(1, Math.trunc(numberField(input, "offset") ?? 1));
    return { ...toBounded(content, startLine), ...(totalLines === undefined ? {} : { totalLines }) };
  }
  const numbered = readNumberedLines(output);
  return numbered === undefined ? toBounded(output, 1) : toBounded(numbered.content, numbered.startLine);
}

function toBounded(content: string, startLine: number): Content {
  return { content: keepStart(content, maxContentLength), startLine };
}

/** The cells of a notebook one below the other, each under a line that names its kind. */
function toNotebookText(cells: readonly JsonValue[]): string {
  return cells
    .slice(0, maxCells)
    .map((cell, index) => {
      const source = stringField(cell, "source") ?? stringsField(cell, "source")?.join("") ?? "";
      return `# %% ${stringField(cell, "cellType", "cell_type") ?? "cell"} ${index + 1}\n${source}`;
    })
    .join("\n\n");
}
