import { stringField, stringsField } from "./json-fields.ts";
import { summarize, toSubject } from "./summaries.ts";
import { hasSucceeded, type ToolObservation, type ToolProcessor } from "./tool-processor.ts";

/** A card lists this many; a search over a whole disk finds millions. */
const maxFiles = 1000;

function readFiles({ structured }: ToolObservation): string[] | undefined {
  return stringsField(structured, "files", "filenames");
}

export const globProcessor: ToolProcessor = {
  toolNames: ["glob", "Glob"],
  present(observation) {
    const pattern = stringField(observation.input, "pattern") ?? "files";
    const verbs = { running: "Finding files matching", done: "Found files matching", failed: "Could not find files matching" };
    const files = hasSucceeded(observation) ? readFiles(observation) : undefined;
    if (files === undefined) return { summary: summarize(observation, verbs, pattern) };
    return {
      summary: `Found ${files.length} ${files.length === 1 ? "file" : "files"} matching ${toSubject(pattern)}`,
      details: { type: "fileList", data: files.slice(0, maxFiles) },
    };
  },
};

export const listProcessor: ToolProcessor = {
  toolNames: ["list", "LS"],
  present(observation) {
    const path = stringField(observation.input, "path") ?? ".";
    const summary = summarize(observation, { running: "Listing", done: "Listed", failed: "Could not list" }, path);
    const files = hasSucceeded(observation) ? readFiles(observation) : undefined;
    return files === undefined ? { summary } : { summary, details: { type: "fileList", data: files.slice(0, maxFiles) } };
  },
};
