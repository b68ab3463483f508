import type { LogRecord } from "@skein/contracts/log-record";
import { encodeRecordLine } from "@skein/contracts/record-frame";
import { type BufferedFile, createBufferedFile, createEntryFile } from "./buffered-file.ts";
import type { ExecutionFolder } from "./execution-folder.ts";

const newline = 10;

/** The log of an execution, with arrival times. */
export interface ExecutionLog extends Pick<BufferedFile, "size" | "isHeld" | "holdBack" | "untilWritten" | "close"> {
  append(chunk: Buffer): void;
  /** Appends a record. Not allowed while a program writes raw bytes: the record could end up inside one of its lines. */
  record(record: LogRecord): void;
  /** Appends a record at the end of the line that is being written, if there is one. Allowed at any time. */
  recordBetweenLines(record: LogRecord): void;
}

/** `onGrown` is called with the new size, once per batch of writes. */
export function createExecutionLog(folder: ExecutionFolder, onGrown: (size: number) => void): ExecutionLog {
  let isAnnounced = false;
  const file = createBufferedFile(folder.log, () => {
    if (isAnnounced) return;
    isAnnounced = true;
    setImmediate(() => {
      isAnnounced = false;
      onGrown(file.size);
    });
  });
  const times = createEntryFile(folder.times);
  let lastAt = 0;
  let isInLine = false;
  const untilLineEnd: LogRecord[] = [];

  function append(chunk: Buffer): void {
    const end = untilLineEnd.length === 0 ? -1 : chunk.indexOf(newline);
    if (end === -1) {
      write(chunk);
      return;
    }
    write(chunk.subarray(0, end + 1));
    for (const waiting of untilLineEnd.splice(0)) record(waiting);
    if (end + 1 < chunk.length) write(chunk.subarray(end + 1));
  }

  const record = (one: LogRecord): void => write(Buffer.from(`${encodeRecordLine(one)}\n`));

  function write(chunk: Buffer): void {
    const at = Date.now();
    // an entry applies until the next one
    if (at !== lastAt) {
      const entry = Buffer.alloc(16);
      entry.writeBigUInt64LE(BigInt(file.expectedSize), 0);
      entry.writeDoubleLE(at, 8);
      times.append(entry);
      lastAt = at;
    }
    file.append(chunk);
    isInLine = chunk.at(-1) !== newline;
  }

  return {
    get size() {
      return file.size;
    },
    get isHeld() {
      return file.isHeld;
    },
    append,
    record,
    recordBetweenLines(one) {
      if (isInLine) untilLineEnd.push(one);
      else record(one);
    },
    holdBack: (sources) => file.holdBack(sources),
    untilWritten: () => file.untilWritten(),
    close() {
      if (untilLineEnd.length > 0) write(Buffer.from("\n"));
      for (const waiting of untilLineEnd.splice(0)) record(waiting);
      file.close();
      times.close();
    },
  };
}
