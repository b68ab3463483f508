import { closeSync, fsyncSync, ftruncateSync, openSync, writeSync } from "node:fs";
import type { Readable } from "node:stream";

const retryMs = 500;

/** An append-only file that buffers what it cannot write, and pauses its sources meanwhile. */
export interface BufferedFile {
  /** Bytes written. */
  readonly size: number;
  /** Bytes written or buffered. */
  readonly expectedSize: number;
  /** The last write failed. */
  readonly isHeld: boolean;
  append(chunk: Buffer): void;
  /** Sets the sources to pause while the file cannot be written; replaces earlier ones. */
  holdBack(sources: readonly Readable[]): void;
  untilWritten(): Promise<void>;
  /** Call only when everything is written. Never throws. */
  close(): void;
}

/** Sources whose writers have exited: their pipes hold little, which would be lost with the process. */
const ended = new WeakSet<Readable>();

/** The source has no writer any more: reads the rest of it even while the file cannot be written. */
export function readRest(source: Readable): void {
  ended.add(source);
  source.resume();
}

/** The file is opened on the first write. `onGrown` is called with its new size. */
export function createBufferedFile(path: string, onGrown: (size: number) => void = () => {}): BufferedFile {
  const unwritten: Buffer[] = [];
  let descriptor: number | undefined;
  let sources: readonly Readable[] = [];
  /** Bytes of the first buffered chunk that are already written. */
  let writtenOfFirst = 0;
  let size = 0;
  let waiting = 0;
  let retry: NodeJS.Timeout | undefined;

  function write(): void {
    retry = undefined;
    try {
      descriptor ??= openSync(path, "a", 0o600);
      for (let first = unwritten[0]; first !== undefined; first = unwritten[0]) {
        while (writtenOfFirst < first.length) writtenOfFirst += writeSync(descriptor, first, writtenOfFirst);
        unwritten.shift();
        writtenOfFirst = 0;
        size += first.length;
        waiting -= first.length;
      }
    } catch {
      // disk full: the agent blocks on its pipe until there is space, and no byte is lost
      for (const source of sources) if (!ended.has(source)) source.pause();
      retry = setTimeout(write, retryMs);
      return;
    }
    for (const source of sources) if (source.isPaused()) source.resume();
    onGrown(size);
  }

  return {
    get size() {
      return size;
    },
    get expectedSize() {
      return size + waiting;
    },
    get isHeld() {
      return retry !== undefined;
    },
    append(chunk) {
      unwritten.push(chunk);
      waiting += chunk.length;
      if (retry === undefined) write();
    },
    holdBack(next) {
      sources = next;
    },
    async untilWritten() {
      while (unwritten.length > 0) await new Promise((resolve) => setTimeout(resolve, retryMs / 5));
    },
    close() {
      if (descriptor === undefined) return;
      try {
        fsyncSync(descriptor);
        closeSync(descriptor);
      } catch {
        // the disk fails: nothing more can be done
      }
    },
  };
}

/** Appends fixed-size entries. Drops an entry that cannot be written completely: a partial one would misalign all that follow. */
export function createEntryFile(path: string): { append(entry: Buffer): void; close(): void } {
  let descriptor: number | undefined;
  let size = 0;
  return {
    append(entry) {
      try {
        descriptor ??= openSync(path, "a", 0o600);
        for (let written = 0; written < entry.length; ) written += writeSync(descriptor, entry, written);
        size += entry.length;
      } catch {
        if (descriptor !== undefined) truncateQuietly(descriptor, size);
      }
    },
    close() {
      if (descriptor !== undefined) closeSync(descriptor);
    },
  };
}

function truncateQuietly(descriptor: number, size: number): void {
  try {
    ftruncateSync(descriptor, size);
  } catch {
    // readers ignore invalid entries
  }
}
