import { stringsField } from "./json-fields.ts";
import type { ToolObservation } from "./tool-processor.ts";

/** A card lists this many; a search over a whole disk finds millions. */
const maxFiles = 1000;

/** A list of files, possibly truncated. */
export interface FoundFiles {
  files: string[];
  /** Their number before the list was truncated. */
  count: number;
}

/** The files in a tool's result. */
export function readFoundFiles({ structured }: ToolObservation): FoundFiles | undefined {
  const files = stringsField(structured, "files", "filenames");
  return files === undefined ? undefined : toFoundFiles(files);
}

/** One file per line, for tools that return only text: `Found 1 file` above the list, `No files found` instead of one. */
export function readFileLines(output: string): FoundFiles {
  const lines = output.replace(/^Found \d+ files?[^\n]*\n?/, "").split("\n");
  return toFoundFiles(lines.filter((line) => line !== "" && !/^No (?:files|matches) found\s*$/.test(line)));
}

function toFoundFiles(files: readonly string[]): FoundFiles {
  return { files: files.slice(0, maxFiles), count: files.length };
}
