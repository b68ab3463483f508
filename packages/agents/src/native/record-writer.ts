import type { Writable } from "node:stream";
import type { AgentOutput } from "@skein/contracts";

export interface RecordWriter {
  write(output: AgentOutput): void;
  /** Resolves when everything written has left this process, or never will. */
  flush(): Promise<void>;
}

/** One line per record. `onBroken` is called once when nobody reads any more. */
export function createRecordWriter(stream: Writable, onBroken: () => void): RecordWriter {
  let broken = false;
  let last: Promise<void> = Promise.resolve();
  stream.on("error", () => {
    if (!broken) onBroken();
    broken = true;
  });
  return {
    write(output) {
      if (broken) return;
      last = new Promise((resolve) => stream.write(`${JSON.stringify(output)}\n`, () => resolve()));
    },
    flush: () => last,
  };
}
