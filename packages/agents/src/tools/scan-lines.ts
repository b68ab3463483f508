import type { FileHandle } from "node:fs/promises";
import { StringDecoder } from "node:string_decoder";

export interface ScannedLines {
  /** From the first requested line; each truncated to `maximumLength` plus one character, which shows that it was truncated. */
  lines: string[];
  /** There are more lines after them. */
  goesOn: boolean;
}

/** Some lines of a file of any size and with lines of any length, in bounded memory. */
export async function scanLines(
  file: FileHandle,
  { offset, limit, maximumLength, signal }: { offset: number; limit: number; maximumLength: number; signal: AbortSignal },
): Promise<ScannedLines> {
  const decoder = new StringDecoder("utf8");
  const lines: string[] = [];
  let number = 1;
  let line = "";
  let isBegun = false;
  const endLine = (text: string) => {
    if (number >= offset) lines.push(text);
    number++;
    line = "";
    isBegun = false;
  };
  for await (const chunk of file.createReadStream({ start: 0, autoClose: false })) {
    signal.throwIfAborted();
    const text = decoder.write(chunk as Buffer);
    for (let start = 0; start < text.length; ) {
      // There is more after the last requested line.
      if (lines.length === limit) return { lines, goesOn: true };
      const end = text.indexOf("\n", start);
      const stop = end === -1 ? text.length : end;
      if (number >= offset) line += text.slice(start, Math.min(stop, start + maximumLength + 2 - line.length));
      isBegun = true;
      if (end !== -1) endLine(line.endsWith("\r") ? line.slice(0, -1) : line);
      start = stop + 1;
    }
  }
  if (isBegun) endLine(line);
  return { lines: lines.slice(0, limit), goesOn: lines.length > limit };
}
