import { closeSync, fsyncSync, ftruncateSync, openSync, writeSync } from "node:fs";
import type { Readable } from "node:stream";

const retryMs = 500;

/** A file that only grows. Where it cannot be written it keeps what came, and whoever it comes from waits on his pipe. */
export interface HeldFile {
  /** Bytes that are in the file. */
  readonly size: number;
  /** Bytes that are in the file or wait for it. */
  readonly expectedSize: number;
  /** It could not be written when it was last tried. */
  readonly isHeld: boolean;
  append(chunk: Buffer): void;
  /** These are paused while the file cannot be written, instead of those before. */
  holdBack(sources: readonly Readable[]): void;
  untilWritten(): Promise<void>;
  /** Only when everything is written. Never throws. */
  close(): void;
}

/** Sources whose writers are gone: what their pipes still hold is little, and would be lost with them. */
const ended = new WeakSet<Readable>();

/** Nothing writes to it any more: the rest is read, also while the file cannot be written. */
export function readRest(source: Readable): void {
  ended.add(source);
  source.resume();
}

/** The file is opened with the first write. `onGrown` is told its new size. */
export function createHeldFile(path: string, onGrown: (size: number) => void = () => {}): HeldFile {
  const unwritten: Buffer[] = [];
  let descriptor: number | undefined;
  let sources: readonly Readable[] = [];
  /** Of the first chunk that is not written as a whole. */
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
      // a full disk: the agent waits on its pipe until there is room again, and no byte is lost
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
        // a disk that fails: nothing more can be done for what was written
      }
    },
  };
}

/** Appends entries of one length. One that cannot be written is left out, whole: a part of it would displace all that follow. */
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
    // readers ignore an entry that makes no sense
  }
}
