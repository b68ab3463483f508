import { stat } from "node:fs/promises";
import type { Writable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import type { AgentOutput } from "@skein/contracts";
import { encodeRecordLine } from "@skein/contracts/record-frame";

export interface RecordWriter {
  write(output: AgentOutput): void;
  /** Resolves when everything written has left this process, or never will. */
  flush(): Promise<void>;
  /** The file to which the runner appends the output. Call before the first write: its current content is not from this writer. */
  followLog(log: string): Promise<FollowedLog>;
}

export interface FollowedLog {
  /** Resolves with true when everything written so far is in the log, with false if `signal` aborts first. */
  untilLogged(signal: AbortSignal): Promise<boolean>;
}

const longestLookMs = 20;

/** One line per record. `onBroken` is called once when the reader is gone. */
export function createRecordWriter(stream: Writable, onBroken: () => void): RecordWriter {
  let broken = false;
  let last: Promise<void> = Promise.resolve();
  let written = 0;
  stream.on("error", () => {
    if (!broken) onBroken();
    broken = true;
  });
  return {
    write(output) {
      if (broken) return;
      const line = `${encodeRecordLine(output)}\n`;
      written += Buffer.byteLength(line);
      last = new Promise((resolve) => stream.write(line, () => resolve()));
    },
    flush: () => last,
    async followLog(log) {
      const before = await readSize(log);
      return {
        async untilLogged(signal) {
          const wanted = before + written;
          for (let lookMs = 1; !signal.aborted; lookMs = Math.min(longestLookMs, lookMs * 2)) {
            if ((await readSize(log)) >= wanted) return !signal.aborted;
            await wait(lookMs);
          }
          return false;
        },
      };
    },
  };
}

async function readSize(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return 0;
    throw error;
  }
}
