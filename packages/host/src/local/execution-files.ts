import { open, stat } from "node:fs/promises";
import type { ExecutionId } from "@skein/contracts";
import type { ExecutionFiles } from "../port/executions.ts";
import type { ExecutionFolder } from "../runner/execution-folder.ts";
import { createLogReader, type LogReader } from "../runner/log-reader.ts";

const keptOfErrors = 8000;

/** The files of executions on this machine. Between two reads of a log its file stays open at the position of the next one. */
export function createExecutionFiles(folderOf: (id: ExecutionId) => ExecutionFolder): ExecutionFiles {
  const readers = new Map<ExecutionId, LogReader>();

  function readerAt(id: ExecutionId, from: number): LogReader {
    const known = readers.get(id);
    if (known?.offset === from) return known;
    known?.close();
    const reader = createLogReader(folderOf(id), from);
    readers.set(id, reader);
    return reader;
  }

  return {
    async readLog({ id, from, final }) {
      const reader = readerAt(id, from);
      const lines = reader.readLines({ final });
      return { lines, next: reader.offset, isBehind: reader.isBehind };
    },
    async closeLog({ id }) {
      readers.get(id)?.close();
      readers.delete(id);
    },
    logSize: ({ id }) =>
      stat(folderOf(id).log).then(
        ({ size }) => size,
        () => 0,
      ),
    async readErrors({ id }) {
      const handle = await open(folderOf(id).stderr, "r").catch(() => undefined);
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
