import { type FoundFiles, readFileLines, readFoundFiles } from "./found-files.ts";
import { stringField } from "./json-fields.ts";
import { summarize, toSubject } from "./summaries.ts";
import { hasSucceeded, type ToolObservation, type ToolProcessor } from "./tool-processor.ts";

const verbs = { running: "Finding files matching", done: "Found files matching", failed: "Could not find files matching" };

export const globProcessor: ToolProcessor = {
  toolNames: ["glob", "Glob"],
  present(observation) {
    const pattern = stringField(observation.input, "pattern") ?? "files";
    const found = hasSucceeded(observation) ? (readFoundFiles(observation) ?? readPrintedFiles(observation)) : undefined;
    if (found === undefined) return { summary: summarize(observation, verbs, pattern) };
    return {
      summary: `Found ${found.count} ${found.count === 1 ? "file" : "files"} matching ${toSubject(pattern)}`,
      details: { type: "fileList", data: found.files },
    };
  },
};

/** Older versions of Claude Code print the list and tell nothing else. */
function readPrintedFiles({ toolName, output }: ToolObservation): FoundFiles | undefined {
  return toolName === "Glob" ? readFileLines(output) : undefined;
}
