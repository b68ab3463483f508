import { readFoundFiles } from "./found-files.ts";
import { stringField } from "./json-fields.ts";
import { summarize, toSubject } from "./summaries.ts";
import { hasSucceeded, type ToolProcessor } from "./tool-processor.ts";

const verbs = { running: "Finding files matching", done: "Found files matching", failed: "Could not find files matching" };

export const globProcessor: ToolProcessor = {
  toolNames: ["glob", "Glob"],
  present(observation) {
    const pattern = stringField(observation.input, "pattern") ?? "files";
    const found = hasSucceeded(observation) ? readFoundFiles(observation) : undefined;
    if (found === undefined) return { summary: summarize(observation, verbs, pattern) };
    return {
      summary: `Found ${found.count} ${found.count === 1 ? "file" : "files"} matching ${toSubject(pattern)}`,
      details: { type: "fileList", data: found.files },
    };
  },
};
