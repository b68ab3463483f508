import { closeSync, openSync, readSync } from "node:fs";
import type { LogLine } from "@skein/engine";
import type { ExecutionFolder } from "./execution-folder.ts";

const chunkBytes = 64 * 1024;
/** A longer line is handed on as its beginning; all of it stays in the log. */
const maxLineBytes = 8 * 1024 * 1024;
const keptOfLongLine = 64 * 1024;
const timesBytes = 4 * 1024;
const newline = 0x0a;

export interface LogReader {
  /** Where the next unread line starts. */
  readonly offset: number;
  /** More of the log was there than the last `readLines` took: the reading is behind the agent. */
  readonly isBehind: boolean;
  /**
   * The lines that are complete by now, at most about a chunk of them; none when there is nothing new.
   * `final` also gives the last line when no line end closes it.
   */
  readLines(options: { final: boolean }): LogLine[];
  /** May be called again: a number that was closed may by then be a file of somebody else. */
  close(): void;
}

/**
 * Reads an execution's log on from `offset`, in memory bounded by the longest line. The reads are synchronous: what is new at
 * the end of a file is in memory, and asking another thread for it takes many times longer than the read.
 */
export function createLogReader(folder: ExecutionFolder, from: number): LogReader {
  let file: number | undefined;
  const times = createTimes(folder.times);
  const chunk = Buffer.allocUnsafeSlow(chunkBytes);
  let offset = from;
  let readTo = from;
  let isBehind = false;
  /** The beginning of a line whose end is still to come. */
  let parts: Buffer[] = [];
  let partBytes = 0;

  return {
    get offset() {
      return offset;
    },
    get isBehind() {
      return isBehind;
    },
    readLines({ final }) {
      file ??= openIfThere(folder.log);
      if (file === undefined) return [];
      for (;;) {
        const bytesRead = readSync(file, chunk, 0, chunkBytes, readTo);
        if (bytesRead === 0) isBehind = false;
        if (bytesRead === 0) return final && partBytes > 0 ? [takeLine(Buffer.alloc(0), 0)] : [];
        readTo += bytesRead;
        isBehind = bytesRead === chunkBytes;
        const lines = split(chunk.subarray(0, bytesRead));
        if (lines.length > 0) return lines;
      }
    },
    close() {
      if (file !== undefined) closeSync(file);
      file = undefined;
      times.close();
    },
  };

  function split(bytes: Buffer): LogLine[] {
    const lines: LogLine[] = [];
    let start = 0;
    for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, start)) {
      lines.push(takeLine(bytes.subarray(start, end), 1));
      start = end + 1;
    }
    const rest = bytes.subarray(start);
    // past the limit only the count goes on, so that the line's end is still found
    if (rest.length > 0 && partBytes <= maxLineBytes) parts.push(Buffer.from(rest));
    partBytes += rest.length;
    return lines;
  }

  function takeLine(last: Buffer, lineEndBytes: number): LogLine {
    const length = partBytes + last.length;
    const whole = parts.length === 0 ? last : Buffer.concat([...parts, last]);
    const bytes = length > maxLineBytes ? whole.subarray(0, keptOfLongLine) : whole;
    const start = offset;
    offset += length + lineEndBytes;
    parts = [];
    partBytes = 0;
    return { text: bytes.toString("utf8"), offset: start, at: times.at(offset - lineEndBytes) };
  }
}

/** Arrival times by log offset; asked for with rising offsets. */
function createTimes(path: string) {
  const bytes = Buffer.allocUnsafeSlow(timesBytes);
  let file: number | undefined;
  let position = 0;
  let current: number | undefined;
  let upcoming: { offset: number; at: number }[] = [];

  return {
    at(offset: number): number {
      if (upcoming.length === 0) upcoming = readMore();
      while (upcoming[0] !== undefined && upcoming[0].offset < offset) {
        current = upcoming.shift()?.at;
        if (upcoming.length === 0) upcoming = readMore();
      }
      return current ?? Date.now();
    },
    close(): void {
      if (file !== undefined) closeSync(file);
      file = undefined;
    },
  };

  function readMore(): { offset: number; at: number }[] {
    file ??= openIfThere(path);
    const bytesRead = file === undefined ? 0 : readSync(file, bytes, 0, bytes.length, position);
    const entries = Array.from({ length: Math.floor(bytesRead / 16) }, (_, i) => ({
      offset: Number(bytes.readBigUInt64LE(i * 16)),
      at: bytes.readDoubleLE(i * 16 + 8),
    }));
    position += entries.length * 16;
    return entries;
  }
}

function openIfThere(path: string): number | undefined {
  try {
    return openSync(path, "r");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
