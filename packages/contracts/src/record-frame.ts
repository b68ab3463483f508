/*
 * How Skein's own records are distinguished from what an agent prints, in the log of one execution (X15). Imports nothing: the
 * runner uses it, which loads no other package.
 *
 *   U+001E {…}        a record of Skein
 *   U+001E U+001E …   a line of the agent that begins with U+001E, without the first one
 *   anything else     a line of the agent, as it is
 *
 * Whoever copies an agent's stdout into the log passes each line through `escapeAgentLine`, so that no line of an agent can
 * be read as a record.
 */

const mark = "\u001e";
const markByte = 0x1e;

/** The version in the first record of a log. Logs of earlier releases do not begin with a record. */
export const logVersion = 2;

/** One line without a line end. `record` is JSON on one line. */
export function encodeRecordLine(record: { type: string }): string {
  return mark + JSON.stringify(record);
}

/** The bytes to write for an agent's line: unchanged, unless it begins like a record. */
export function escapeAgentLine(line: Uint8Array): Uint8Array {
  if (line[0] !== markByte) return line;
  const escaped = new Uint8Array(line.length + 1);
  escaped[0] = markByte;
  escaped.set(line, 1);
  return escaped;
}

/** A line of the log: the JSON text of a record, or a line of the agent as printed. */
export function readFrame(line: string): { type: "record"; json: string } | { type: "agent"; text: string } {
  if (!line.startsWith(mark)) return { type: "agent", text: line };
  const rest = line.slice(mark.length);
  return rest.startsWith(mark) ? { type: "agent", text: rest } : { type: "record", json: rest };
}
