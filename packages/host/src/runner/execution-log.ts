import type { LogRecord } from "@skein/contracts/log-record";
import { encodeRecordLine } from "@skein/contracts/record-frame";
import { type BufferedFile, createBufferedFile, createEntryFile } from "./buffered-file.ts";
import type { ExecutionFolder } from "./execution-folder.ts";

/** The log of an execution, with arrival times. */
export interface ExecutionLog extends Pick<BufferedFile, "size" | "isHeld" | "holdBack" | "untilWritten" | "close"> {
  append(chunk: Buffer): void;
  /** Appends a record. Not allowed while a program writes raw bytes: the record could end up inside one of its lines. */
  record(record: LogRecord): void;
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

  function append(chunk: Buffer): void {
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
  }

  return {
    get size() {
      return file.size;
    },
    get isHeld() {
      return file.isHeld;
    },
    append,
    record: (record) => append(Buffer.from(`${encodeRecordLine(record)}\n`)),
    holdBack: (sources) => file.holdBack(sources),
    untilWritten: () => file.untilWritten(),
    close() {
      file.close();
      times.close();
    },
  };
}
