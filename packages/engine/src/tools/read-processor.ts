import { keepStart } from "../text/truncate.ts";
import { countField, numberField, objectField, stringField } from "./json-fields.ts";
import { summarize } from "./summaries.ts";
import { hasSucceeded, type ToolProcessor } from "./tool-processor.ts";

const maxContentLength = 256 * 1024;

export const readProcessor: ToolProcessor = {
  toolNames: ["read", "Read"],
  present(observation) {
    const { input, structured } = observation;
    const file = objectField(structured, "file") ?? structured;
    const filePath = stringField(input, "path", "file_path") ?? stringField(file, "filePath");
    const summary = summarize(observation, { running: "Reading", done: "Read", failed: "Could not read" }, filePath ?? "file");
    if (!hasSucceeded(observation) || filePath === undefined) return { summary };
    const totalLines = countField(file, 0, "totalLines");
    const content = stringField(file, "content");
    const startLine = countField(file, 1, "startLine") ?? Math.max(1, Math.trunc(numberField(input, "offset") ?? 1));
    return {
      summary,
      details: {
        type: "fileContent",
        data: {
          filePath,
          content: keepStart(content ?? observation.output, maxContentLength),
          startLine: content === undefined ? 1 : startLine,
          ...(totalLines === undefined ? {} : { totalLines }),
        },
      },
    };
  },
};
