import type { ToolDetails } from "@skein/contracts";
import { truncateCodePoints } from "../text/truncate.ts";
import { readFileLines, readFoundFiles } from "./found-files.ts";
import { arrayField, asObject, countField, stringField } from "./json-fields.ts";
import { readCountLines, readMatchLines, type SearchMatch } from "./search-lines.ts";
import { hasSucceeded, type ToolObservation, type ToolPresentation, type ToolProcessor } from "./tool-processor.ts";

const maxMatches = 500;
const maxLineLength = 500;

/** Matching lines, files with matches, or counts per file: the agent chooses. */
export const grepProcessor: ToolProcessor = {
  toolNames: ["grep", "Grep"],
  present(observation) {
    const pattern = stringField(observation.input, "pattern") ?? "";
    const found = hasSucceeded(observation) ? toFound(observation, pattern) : undefined;
    return found ?? { summary: { action: "search", subject: pattern } };
  },
};

function toFound(observation: ToolObservation, pattern: string): ToolPresentation | undefined {
  const { input, structured, output } = observation;
  const listed = arrayField(structured, "matches");
  if (listed !== undefined) {
    return toMatches(pattern, readMatches(listed), countField(structured, 0, "total") ?? listed.length);
  }
  // Older versions report it only in their text.
  const isStructured = asObject(structured) !== undefined;
  const mode = stringField(structured, "mode") ?? stringField(input, "output_mode") ?? "files_with_matches";
  const text = isStructured ? (stringField(structured, "content") ?? "") : output;
  if (mode === "content") {
    const matches = readMatchLines(text, stringField(input, "path"));
    return toMatches(pattern, matches, countField(structured, 0, "numMatches", "totalLines", "numLines") ?? matches.length);
  }
  if (mode === "count") {
    const { matches, total } = readCountLines(text);
    return toMatches(pattern, matches, countField(structured, 0, "numMatches") ?? total);
  }
  const found = isStructured ? readFoundFiles(observation) : readFileLines(output);
  if (found === undefined) return undefined;
  const count = countField(structured, 0, "totalFiles", "numFiles") ?? found.count;
  return {
    summary: { action: "search-files", subject: pattern, count },
    details: { type: "fileList", data: found.files },
  };
}

function toMatches(pattern: string, matches: readonly SearchMatch[], total: number): ToolPresentation {
  const count = Math.max(total, matches.length);
  const details: ToolDetails = {
    type: "searchResults",
    data: { pattern, matches: matches.slice(0, maxMatches).map(toBounded), total: count },
  };
  return { summary: { action: "search", subject: pattern, count }, details };
}

function toBounded(match: SearchMatch): SearchMatch {
  return match.text === undefined ? match : { ...match, text: truncateCodePoints(match.text, maxLineLength) };
}

function readMatches(items: NonNullable<ReturnType<typeof arrayField>>): SearchMatch[] {
  return items.flatMap((item) => {
    const filePath = stringField(item, "filePath");
    if (filePath === undefined) return [];
    const line = countField(item, 1, "line");
    const text = stringField(item, "text");
    return [{ filePath, ...(line === undefined ? {} : { line }), ...(text === undefined ? {} : { text }) }];
  });
}
