import { takeStart, truncateCodePoints } from "@skein/engine";
import { capMarks } from "./cap-marks.ts";

/** The first line with text, for a place of one line: cut after `maxLength` characters, however long the text is. */
export function firstLine(text: string, maxLength = 200): string {
  const start = takeStart(text, 10_000).trimStart();
  const end = start.indexOf("\n");
  const line = end === -1 ? start : start.slice(0, end);
  return capMarks(truncateCodePoints(line, maxLength + 1));
}
