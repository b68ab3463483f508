import type { LogRecord } from "@skein/contracts/log-record";
import { encodeRecordLine } from "@skein/contracts/record-frame";
import type { ExecutionFolder } from "./execution-folder.ts";
import { createEntryFile, createHeldFile, type HeldFile } from "./held-file.ts";

/** The log of an execution, with the arrival times of what is in it. */
export interface ExecutionLog extends Pick<HeldFile, "size" | "isHeld" | "holdBack" | "untilWritten" | "close"> {
  append(chunk: Buffer): void;
  /** A record of ours. Not while a program writes to the log as it likes: it could end up inside a line of that program. */
  record(record: LogRecord): void;
}

/** `onGrown` is called with the log's new size, once for everything that is written in one go. */
export function createExecutionLog(folder: ExecutionFolder, onGrown: (size: number) => void): ExecutionLog {
  let isAnnounced = false;
  const file = createHeldFile(folder.log, () => {
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
    // an entry counts until the next one
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
