import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { ProjectId, StorageUse } from "@skein/contracts";
import type { StorageReader } from "@skein/engine";
import { outputFolder } from "./outputs.ts";
import type { ServiceContext } from "./service-context.ts";
import type { Services } from "./services.ts";

type ProjectUse = StorageUse["projects"][number];

/** Measured when it is asked for: a worktree may hold a hundred thousand files, so nobody counts them all the time. */
export function createStorageUseService({ storage, home }: Pick<ServiceContext, "storage" | "home">): Services["storageUse"] {
  let measuring: Promise<StorageUse> | undefined;
  return () => {
    // two that ask at the same time share one walk through the disk
    measuring ??= measure(storage.read, home).finally(() => {
      measuring = undefined;
    });
    return measuring;
  };
}

async function measure(reader: StorageReader, home: string): Promise<StorageUse> {
  const projects: ProjectUse[] = [];
  for (const { id } of await reader.listProjects()) projects.push(await measureProject(reader, home, id));
  const database = await sumFiles(home, (name) => name.startsWith("skein.db"));
  const executionLogs = await measureFolder(join(home, "executions"));
  const outputs = await measureFolder(outputFolder(home));
  const worktrees = await measureFolder(join(home, "worktrees"));
  const quarantine = await measureFolder(join(home, "quarantine"));
  const own = new Set(["executions", "worktrees", "spill", "quarantine"]);
  const folders = (await readFolder(home)).filter((entry) => entry.isDirectory() && !own.has(entry.name));
  let other = await sumFiles(home, (name) => !name.startsWith("skein.db"));
  for (const { name } of folders) other += await measureFolder(join(home, name));
  return { database, executionLogs, outputs, worktrees, quarantine, other, projects };
}

async function measureProject(reader: StorageReader, home: string, projectId: ProjectId): Promise<ProjectUse> {
  const use: ProjectUse = { projectId, worktrees: 0, executionLogs: 0, outputs: 0 };
  for (const task of await reader.listTasks({ projectId })) {
    for (const attempt of await reader.listAttempts({ taskId: task.id })) {
      if (attempt.isolation === "worktree") use.worktrees += await measureFolder(attempt.directory);
      for (const { id } of await reader.listExecutions({ attemptId: attempt.id })) {
        use.executionLogs += await measureFolder(join(home, "executions", id));
        use.outputs += await measureFolder(join(outputFolder(home), id));
      }
    }
  }
  return use;
}

/** Bytes on disk of everything in it. Links are not followed: what they lead to is not kept here. */
async function measureFolder(path: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readFolder(path)) {
    const inside = join(path, entry.name);
    bytes += entry.isDirectory() ? await measureFolder(inside) : await measureFile(inside);
  }
  return bytes;
}

async function sumFiles(path: string, wanted: (name: string) => boolean): Promise<number> {
  let bytes = 0;
  for (const entry of await readFolder(path))
    if (!entry.isDirectory() && wanted(entry.name)) bytes += await measureFile(join(path, entry.name));
  return bytes;
}

/** What goes away while it is measured is not there. */
function readFolder(path: string) {
  return readdir(path, { withFileTypes: true }).catch(() => []);
}

async function measureFile(path: string): Promise<number> {
  const stats = await lstat(path).catch(() => undefined);
  return stats === undefined ? 0 : (stats.blocks ?? 0) * 512 || stats.size;
}
