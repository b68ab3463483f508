import { closeSync, openSync, readSync } from "node:fs";
import type { LogLine } from "@skein/engine";
import type { ExecutionFolder } from "./execution-folder.ts";

const chunkBytes = 64 * 1024;
/** Longer lines are truncated when read; the log keeps them completely. */
const maxLineBytes = 8 * 1024 * 1024;
const keptOfLongLine = 64 * 1024;
const timesBytes = 4 * 1024;
const newline = 0x0a;

export interface LogReader {
  /** Offset of the next unread line. */
  readonly offset: number;
  /** The last `readLines` left data unread: the reader is behind the agent. */
  readonly isBehind: boolean;
  /**
   * Returns complete lines, about one chunk at most; empty if there is nothing new.
   * With `final`, an unterminated last line is returned, too.
   */
  readLines(options: { final: boolean }): LogLine[];
  /** Idempotent: the file descriptor may already belong to another file. */
  close(): void;
}

/**
 * Reads an execution log from an offset, with memory bounded by the longest line. Reads are synchronous: new data at the end of a file
 * is in the page cache, and a round trip to another thread takes much longer than the read.
 */
export function createLogReader(folder: ExecutionFolder, from: number): LogReader {
  let file: number | undefined;
  const times = createTimes(folder.times);
  const chunk = Buffer.allocUnsafeSlow(chunkBytes);
  let offset = from;
  let readTo = from;
  let isBehind = false;
  /** Parts of a line whose end has not arrived yet. */
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
    // past the limit, bytes are only counted, to find the end of the line
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

/** Arrival times by log offset; offsets must be requested in rising order. */
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
