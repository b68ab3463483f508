import { constants } from "node:fs";
import { open } from "node:fs/promises";
import type { SessionSink } from "./session-source.ts";

const chunkBytes = 256 * 1024;
/** Longer lines are skipped: some versions log whole requests. */
const maxLineBytes = 64 * 1024 * 1024;
const lineFeed = 0x0a;

/** One line of a session file. */
export interface SessionLine {
  text: string;
  offset: number;
  /** From 1, counted from where reading began. */
  number: number;
}

/** Opened without following a link in its place, and without blocking on a pipe. */
export async function openSessionFile(file: string) {
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  const stats = await handle.stat();
  if (stats.isFile()) return { handle, stats };
  await handle.close();
  throw new Error("It is not a file.");
}

/**
 * Reads the lines of a file from `offset` on, in chunks. A last line without its end counts: a program that was killed leaves one.
 * Returns false if the file cannot be read.
 */
export async function readSessionLines(
  file: string,
  options: { offset?: number; sink: Pick<SessionSink, "problem" | "pause">; onLine(line: SessionLine): void | Promise<void> },
): Promise<boolean> {
  const { sink, onLine } = options;
  try {
    const { handle } = await openSessionFile(file);
    try {
      const chunk = Buffer.allocUnsafe(chunkBytes);
      let start = options.offset ?? 0;
      let position = start;
      let number = 0;
      let rest: Buffer[] = [];
      let restBytes = 0;
      let isTooLong = false;

      const emit = (tail: Buffer): void | Promise<void> => {
        number += 1;
        const offset = start;
        const line = restBytes === 0 ? tail : Buffer.concat([...rest, tail]);
        start += restBytes + tail.length + 1;
        const skipped = isTooLong || line.length > maxLineBytes;
        rest = [];
        restBytes = 0;
        isTooLong = false;
        if (skipped) sink.problem({ code: "long-line", file, line: number });
        else if (line.length > 0) return onLine({ text: line.toString("utf8"), offset, number });
      };

      for (;;) {
        const { bytesRead } = await handle.read(chunk, 0, chunkBytes, position);
        if (bytesRead === 0) break;
        position += bytesRead;
        let from = 0;
        for (let at = chunk.indexOf(lineFeed, 0); at >= 0 && at < bytesRead; at = chunk.indexOf(lineFeed, from)) {
          const read = emit(chunk.subarray(from, at));
          if (read !== undefined) await read;
          from = at + 1;
          const waiting = sink.pause();
          if (waiting !== undefined) await waiting;
        }
        const tail = chunk.subarray(from, bytesRead);
        restBytes += tail.length;
        // the bytes of a line that is skipped are counted, not kept
        if (restBytes > maxLineBytes) {
          isTooLong = true;
          rest = [];
        } else if (tail.length > 0) rest.push(Buffer.from(tail));
      }
      if (restBytes > 0) {
        const whole = isTooLong ? Buffer.alloc(0) : Buffer.concat(rest);
        rest = [];
        restBytes = 0;
        await emit(whole);
      }
      return true;
    } finally {
      await handle.close();
    }
  } catch (error) {
    sink.problem({ code: "unreadable-file", file, detail: error instanceof Error ? error.message : String(error) });
    return false;
  }
}

/** A whole small file; undefined and a problem if it is larger than `maxBytes` or cannot be read. */
export async function readWholeFile(
  file: string,
  { maxBytes, sink }: { maxBytes: number; sink: Pick<SessionSink, "problem"> },
): Promise<string | undefined> {
  try {
    const { handle, stats } = await openSessionFile(file);
    try {
      if (stats.size > maxBytes) {
        sink.problem({ code: "large-file", file });
        return undefined;
      }
      return await handle.readFile("utf8");
    } finally {
      await handle.close();
    }
  } catch (error) {
    sink.problem({ code: "unreadable-file", file, detail: error instanceof Error ? error.message : String(error) });
    return undefined;
  }
}
