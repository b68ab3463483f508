import { readFoundFiles } from "./found-files.ts";
import { stringField } from "./json-fields.ts";
import { summarize } from "./summaries.ts";
import { hasSucceeded, type ToolProcessor } from "./tool-processor.ts";

const verbs = { running: "Listing", done: "Listed", failed: "Could not list" };

export const listProcessor: ToolProcessor = {
  toolNames: ["list", "LS"],
  present(observation) {
    const summary = summarize(observation, verbs, stringField(observation.input, "path") ?? ".");
    const found = hasSucceeded(observation) ? readFoundFiles(observation) : undefined;
    return found === undefined ? { summary } : { summary, details: { type: "fileList", data: found.files } };
  },
};
