import type { JsonValue } from "@skein/contracts";
import { truncateCodePoints } from "../text/truncate.ts";
import { arrayField, countField, stringField, stringsField } from "./json-fields.ts";
import { summarize, toSubject } from "./summaries.ts";
import { hasSucceeded, type ToolProcessor } from "./tool-processor.ts";

const maxMatches = 500;
const maxLineLength = 500;
const verbs = { running: "Searching for", done: "Searched for", failed: "Could not search for" };

interface Match {
  filePath: string;
  line?: number;
  text?: string;
}

export const grepProcessor: ToolProcessor = {
  toolNames: ["grep", "Grep"],
  present(observation) {
    const { structured } = observation;
    const pattern = stringField(observation.input, "pattern") ?? "";
    const matches = hasSucceeded(observation) ? readMatches(structured) : undefined;
    if (matches === undefined) return { summary: summarize(observation, verbs, pattern) };
    const total = Math.max(matches.length, countField(structured, 0, "total", "numMatches", "numFiles") ?? 0);
    return {
      summary: `Found ${total} ${total === 1 ? "match" : "matches"} for ${toSubject(pattern)}`,
      details: { type: "searchResults", data: { pattern, matches: matches.slice(0, maxMatches), total } },
    };
  },
};

function readMatches(structured: JsonValue | undefined): Match[] | undefined {
  const files = stringsField(structured, "filenames");
  if (files !== undefined) return files.map((filePath) => ({ filePath }));
  return arrayField(structured, "matches")?.flatMap((item) => {
    const filePath = stringField(item, "filePath");
    if (filePath === undefined) return [];
    const line = countField(item, 1, "line");
    const text = stringField(item, "text");
    return [
      {
        filePath,
        ...(line === undefined ? {} : { line }),
        ...(text === undefined ? {} : { text: truncateCodePoints(text, maxLineLength) }),
      },
    ];
  });
}
