import { stringsField } from "./json-fields.ts";
import type { ToolObservation } from "./tool-processor.ts";

/** A card lists this many; a search over a whole disk finds millions. */
const maxFiles = 1000;

/** The files that a tool named in its result, and how many they were before the list was cut. */
export function readFoundFiles({ structured }: ToolObservation): { files: string[]; count: number } | undefined {
  const files = stringsField(structured, "files", "filenames");
  return files === undefined ? undefined : { files: files.slice(0, maxFiles), count: files.length };
}
