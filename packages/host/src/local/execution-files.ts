import { open, stat } from "node:fs/promises";
import type { ExecutionFiles } from "../port/executions.ts";
import type { ExecutionFolder } from "../runner/execution-folder.ts";
import { createLogReader } from "../runner/log-reader.ts";

const keptOfErrors = 8000;

/** Opens the files of an execution on this machine. */
export function openExecutionFiles(folder: ExecutionFolder): ExecutionFiles {
  return {
    openLog: ({ from }) => createLogReader(folder, from),
    logSize: () =>
      stat(folder.log).then(
        ({ size }) => size,
        () => 0,
      ),
    async readErrors() {
      const handle = await open(folder.stderr, "r").catch(() => undefined);
      if (handle === undefined) return "";
      try {
        const { size } = await handle.stat();
        const bytes = Buffer.alloc(Math.min(size, keptOfErrors));
        await handle.read(bytes, 0, bytes.length, size - bytes.length);
        return bytes.toString("utf8");
      } finally {
        await handle.close();
      }
    },
  };
}
