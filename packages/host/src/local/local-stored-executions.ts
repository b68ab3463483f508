import { createReadStream, existsSync } from "node:fs";
import { lstat, mkdir, readFile, rename, rmdir, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type ExecutionId, type ExecutionOrigin, executionIdSchema, executionOriginSchema } from "@skein/contracts";
import type { StoredExecutions } from "../port/stored-executions.ts";
import { executionFolder } from "../runner/execution-folder.ts";
import { type DataFolders, listNames } from "./data-folders.ts";
import { measurePath } from "./measure-path.ts";

/** `<data dir>/quarantine/<id>` has the content of `executions/<id>` and `spill/<id>`. */
export function createLocalStoredExecutions(folders: DataFolders): StoredExecutions {
  const logPath = (id: ExecutionId): string => join(folders.executions, id);
  const outputPath = (id: ExecutionId): string => join(folders.outputs, id);
  const inQuarantine = (id: ExecutionId) => {
    const path = join(folders.quarantine, id);
    return { path, log: join(path, "execution"), outputs: join(path, "outputs") };
  };
  const deletedMark = (id: ExecutionId): string => executionFolder(logPath(id)).deleted;

  /** Where its files are now. */
  const find = (id: ExecutionId): { log: string; outputs: string } =>
    existsSync(inQuarantine(id).path) ? inQuarantine(id) : { log: logPath(id), outputs: outputPath(id) };

  return {
    listStored: async () => toIds([...(await listNames(folders.executions)), ...(await listNames(folders.outputs))]),
    locate: async ({ ids }) => ids.map(logPath),
    readOrigin: ({ id }) => readOrigin(executionFolder(find(id).log).origin, id),
    async describeStored({ id }) {
      const { log, outputs } = find(id);
      const createdAt = (await lstat(log).catch(() => undefined))?.birthtime.getTime() ?? 0;
      return { directory: log, bytes: (await measurePath(log)) + (await measurePath(outputs)), createdAt };
    },

    async markDeleted({ ids }) {
      const known = new Set(await listNames(folders.executions));
      for (const id of ids) {
        if (known.has(id)) await writeFile(deletedMark(id), "", { mode: 0o600 }).catch(ignoreMissing);
      }
    },
    async unmarkDeleted({ ids }) {
      for (const id of ids) await unlink(deletedMark(id)).catch(() => {});
    },
    isMarkedDeleted: async ({ id }) => existsSync(deletedMark(id)),
    async removeStored({ id }) {
      await removeFlatFolder(outputPath(id));
      await removeFlatFolder(logPath(id), "deleted");
    },

    async removeLogs({ ids }) {
      for (const id of ids) await removeFlatFolder(logPath(id));
    },

    async quarantine({ id }) {
      const target = inQuarantine(id);
      await move(logPath(id), target.log);
      await move(outputPath(id), target.outputs);
      return { directory: target.path };
    },
    listQuarantined: async () => toIds(await listNames(folders.quarantine)),
    async restoreQuarantined({ id }) {
      const { path, log, outputs } = inQuarantine(id);
      await move(log, logPath(id));
      await move(outputs, outputPath(id));
      await rmdir(path).catch(() => {});
    },
    async removeQuarantined({ id }) {
      const { path, log, outputs } = inQuarantine(id);
      await removeFlatFolder(log);
      await removeFlatFolder(outputs);
      await rmdir(path);
    },

    async findOutput({ id, name }) {
      // only a regular file directly in that folder: no paths, no links
      const file = /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/.test(name) ? await lstat(join(outputPath(id), name)).catch(() => undefined) : undefined;
      return file?.isFile() ? { size: file.size } : null;
    },
    async *readOutput({ id, name }) {
      yield* createReadStream(join(outputPath(id), name)) as AsyncIterable<Uint8Array>;
    },
  };
}

async function readOrigin(file: string, id: ExecutionId): Promise<ExecutionOrigin | null> {
  const text = await readFile(file, "utf8").catch(() => undefined);
  if (text === undefined) return null;
  try {
    const { data } = executionOriginSchema.safeParse(JSON.parse(text));
    const belongs = data?.execution.id === id && data.execution.attemptId === data.attempt.id && data.attempt.taskId === data.task.id;
    return belongs ? data : null;
  } catch {
    return null;
  }
}

/** File by file: only worktrees are ever deleted recursively (X12). */
async function removeFlatFolder(folder: string, last?: string): Promise<void> {
  const names = await listNames(folder);
  for (const name of names.toSorted((a, b) => Number(a === last) - Number(b === last))) await unlink(join(folder, name)).catch(() => {});
  await rmdir(folder).catch(() => {});
}

async function move(from: string, to: string): Promise<void> {
  await mkdir(join(to, ".."), { recursive: true, mode: 0o700 });
  await rename(from, to).catch(ignoreMissing);
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== "ENOENT") throw error;
}

function toIds(names: readonly string[]): ExecutionId[] {
  return [...new Set(names)].flatMap((name) => executionIdSchema.safeParse(name).data ?? []);
}
