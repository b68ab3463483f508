import type { JsonValue, ToolDetails } from "@skein/contracts";
import { keepStart } from "../text/truncate.ts";
import { toTitledSummary } from "./acp-kind-processors.ts";
import { arrayField, asObject, countField, numberField, objectField, stringField, stringsField } from "./json-fields.ts";
import { readNumberedLines } from "./numbered-lines.ts";
import { hasSucceeded, type SummaryDraft, type ToolObservation, type ToolProcessor } from "./tool-processor.ts";

const maxContentLength = 256 * 1024;
const maxCells = 1000;

/** Reads files: text with line numbers, images, notebooks. */
export const readProcessor: ToolProcessor = {
  toolNames: ["read", "Read", "NotebookRead"],
  present(observation) {
    const { input, structured } = observation;
    const file = objectField(structured, "file") ?? structured;
    const filePath = stringField(input, "path", "file_path", "filePath", "notebook_path") ?? stringField(file, "filePath");
    const summary = toSummary(observation, filePath);
    if (!hasSucceeded(observation) || filePath === undefined) return { summary };
    // Gemini CLI does not report the content: the file would look empty.
    if (observation.output === "" && asObject(file) === undefined) return { summary };
    return { summary, details: { type: "fileContent", data: { filePath, ...toContent(observation, file) } } };
  },
};

/** Gemini CLI reads several files at once, by patterns; ACP agents report no path if the title names more than one. */
function toSummary(observation: ToolObservation, filePath: string | undefined): SummaryDraft {
  const several = stringsField(observation.input, "include", "paths");
  const subject = filePath ?? several?.join(", ") ?? readPathInTitle(observation);
  return subject === undefined ? (toTitledSummary(observation) ?? { action: "read" }) : { action: "read", subject };
}

/** A title that is a path or path pattern, and not a sentence or the name of a tool. */
function readPathInTitle({ input }: ToolObservation): string | undefined {
  const title = stringField(input, "title") ?? "";
  return /^(?=\S*[*/\\.])(?!\.?\/?$)\S{1,1000}$/.test(title) ? title : undefined;
}

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

/** The cells of a notebook, each below a line with its kind. */
function toNotebookText(cells: readonly JsonValue[]): string {
  return cells
    .slice(0, maxCells)
    .map((cell, index) => {
      const source = stringField(cell, "source") ?? stringsField(cell, "source")?.join("") ?? "";
      return `# %% ${stringField(cell, "cellType", "cell_type") ?? "cell"} ${index + 1}\n${source}`;
    })
    .join("\n\n");
}
