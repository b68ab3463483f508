import { type FileHandle, open } from "node:fs/promises";
import type { LogLine } from "@skein/engine";
import type { ExecutionFolder } from "../runner/execution-folder.ts";

const chunkBytes = 256 * 1024;
/** A longer line is handed on as its beginning; all of it stays in the log. */
const maxLineBytes = 8 * 1024 * 1024;
const keptOfLongLine = 64 * 1024;
const newline = 0x0a;

export interface LogReader {
  /** Where the next unread line starts. */
  readonly offset: number;
  /**
   * The lines that are complete by now, at most about a chunk of them; none when there is nothing new.
   * `final` also gives the last line when no line end closes it.
   */
  readLines(options: { final: boolean }): Promise<LogLine[]>;
  close(): Promise<void>;
}

/** Reads an execution's log on from `offset`, in memory bounded by the longest line. */
export function createLogReader(folder: ExecutionFolder, from: number): LogReader {
  let file: FileHandle | undefined;
  const times = createTimes(folder.times);
  let offset = from;
  let readTo = from;
  let parts: Buffer[] = [];
  let partBytes = 0;

  return {
    get offset() {
      return offset;
    },
    async readLines({ final }) {
      file ??= await openIfThere(folder.log);
      if (file === undefined) return [];
      for (;;) {
        const chunk = Buffer.allocUnsafe(chunkBytes);
        const { bytesRead } = await file.read(chunk, 0, chunkBytes, readTo);
        if (bytesRead === 0) return final && partBytes > 0 ? [await takeLine(0)] : [];
        readTo += bytesRead;
        const lines = await split(chunk.subarray(0, bytesRead));
        if (lines.length > 0) return lines;
      }
    },
    async close() {
      await file?.close();
      await times.close();
    },
  };

  async function split(chunk: Buffer): Promise<LogLine[]> {
    const lines: LogLine[] = [];
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      keep(chunk.subarray(start, end));
      lines.push(await takeLine(1));
      start = end + 1;
    }
    keep(chunk.subarray(start));
    return lines;
  }

  function keep(part: Buffer): void {
    // past the limit only the count goes on, so that the line's end is still found
    if (partBytes <= maxLineBytes) parts.push(part);
    partBytes += part.length;
  }

  async function takeLine(lineEndBytes: number): Promise<LogLine> {
    const whole = Buffer.concat(parts);
    const bytes = partBytes > maxLineBytes ? whole.subarray(0, keptOfLongLine) : whole;
    const start = offset;
    offset += partBytes + lineEndBytes;
    const at = await times.at(offset - lineEndBytes);
    parts = [];
    partBytes = 0;
    return { text: bytes.toString("utf8"), offset: start, at };
  }
}

/** Arrival times by log offset; asked for with rising offsets. */
function createTimes(path: string) {
  let file: FileHandle | undefined;
  let position = 0;
  let current: number | undefined;
  let upcoming: { offset: number; at: number }[] = [];

  return {
    async at(offset: number): Promise<number> {
      if (upcoming.length === 0) upcoming = await readMore();
      while (upcoming[0] !== undefined && upcoming[0].offset < offset) {
        current = upcoming.shift()?.at;
        if (upcoming.length === 0) upcoming = await readMore();
      }
      return current ?? Date.now();
    },
    async close(): Promise<void> {
      await file?.close();
    },
  };

  async function readMore(): Promise<{ offset: number; at: number }[]> {
    file ??= await openIfThere(path);
    const bytes = Buffer.alloc(16 * 1024);
    const { bytesRead } = (await file?.read(bytes, 0, bytes.length, position)) ?? { bytesRead: 0 };
    const entries = Array.from({ length: Math.floor(bytesRead / 16) }, (_, i) => ({
      offset: Number(bytes.readBigUInt64LE(i * 16)),
      at: bytes.readDoubleLE(i * 16 + 8),
    }));
    position += entries.length * 16;
    return entries;
  }
}

async function openIfThere(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, "r");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
