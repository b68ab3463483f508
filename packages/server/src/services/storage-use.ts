import { join } from "node:path";
import type { ProjectId, StorageUse } from "@skein/contracts";
import type { StorageReader } from "@skein/engine";
import { trashName } from "@skein/host";
import { outputFolder } from "../data-dir/output-folder.ts";
import { measureFile, measureFolder, readFolder } from "./measure-folder.ts";
import type { ServiceContext } from "./service-context.ts";
import type { Services } from "./services.ts";

type ProjectUse = StorageUse["projects"][number];

/** Folders read concurrently: the work is I/O-bound. */
const foldersAtOnce = 16;

/**
 * Measured on request: a worktree may have a hundred thousand files. Folders of ended executions do not change and are measured once.
 */
export function createStorageUseService({ storage, home }: Pick<ServiceContext, "storage" | "home">): Services["storageUse"] {
  let measuring: Promise<StorageUse> | undefined;
  const settled = { logs: new Map<string, number>(), outputs: new Map<string, number>() };
  return () => {
    // concurrent requests share one walk
    measuring ??= measure(storage.read, home, settled).finally(() => {
      measuring = undefined;
    });
    return measuring;
  };
}

async function measure(
  reader: StorageReader,
  home: string,
  settled: { logs: Map<string, number>; outputs: Map<string, number> },
): Promise<StorageUse> {
  const ended = new Set<string>();
  const projectOf = new Map<string, ProjectId>();
  for await (const { executionId, projectId, isRunning } of listOwners(reader)) {
    projectOf.set(executionId, projectId);
    if (!isRunning) ended.add(executionId);
  }
  const logs = await measureChildren(join(home, "executions"), { settled: settled.logs, ended });
  const outputs = await measureChildren(outputFolder(home), { settled: settled.outputs, ended });
  const worktrees = await measureChildren(join(home, "worktrees"));

  const projects = new Map<ProjectId, ProjectUse>();
  const ofProject = (projectId: ProjectId): ProjectUse => {
    const use = projects.get(projectId) ?? { projectId, worktrees: 0, executionLogs: 0, outputs: 0 };
    projects.set(projectId, use);
    return use;
  };
  for (const { id } of await reader.listProjects()) ofProject(id);
  for (const [id, projectId] of projectOf) {
    ofProject(projectId).executionLogs += logs.get(id) ?? 0;
    ofProject(projectId).outputs += outputs.get(id) ?? 0;
  }
  for (const { directory, projectId } of await reader.listWorktrees()) {
    ofProject(projectId).worktrees += worktrees.get(directory.slice(join(home, "worktrees").length + 1)) ?? 0;
  }

  const database = await sumFiles(home, (name) => name.startsWith("skein.db"));
  const own = new Set(["executions", "worktrees", "spill", "quarantine"]);
  const folders = (await readFolder(home)).filter((entry) => entry.isDirectory() && !own.has(entry.name));
  let other = await sumFiles(home, (name) => !name.startsWith("skein.db"));
  for (const { name } of folders) other += await measureFolder(join(home, name));
  return {
    database,
    executionLogs: sum(logs),
    outputs: sum(outputs),
    worktrees: sum(worktrees),
    quarantine: await measureFolder(join(home, "quarantine")),
    deleting: { messages: await reader.countDeletedMessages(), worktrees: worktrees.get(trashName) ?? 0 },
    other,
    projects: [...projects.values()],
  };
}

const ownersAtOnce = 1000;

/** In pages, yielding to other work in between. */
async function* listOwners(reader: StorageReader) {
  let page = await reader.listExecutionOwners({ limit: ownersAtOnce });
  while (page.length > 0) {
    yield* page;
    const behind = page.at(-1)?.executionId;
    await new Promise(setImmediate);
    page = behind === undefined || page.length < ownersAtOnce ? [] : await reader.listExecutionOwners({ behind, limit: ownersAtOnce });
  }
}

/** Sizes of the subfolders of a folder. */
async function measureChildren(
  path: string,
  known: { settled: Map<string, number>; ended: ReadonlySet<string> } = { settled: new Map(), ended: new Set() },
): Promise<Map<string, number>> {
  const sizes = new Map<string, number>();
  const left = (await readFolder(path)).filter((entry) => entry.isDirectory());
  const measureNext = async () => {
    for (let entry = left.pop(); entry !== undefined; entry = left.pop()) {
      const { name } = entry;
      const bytes = known.settled.get(name) ?? (await measureFolder(join(path, name)));
      if (known.ended.has(name)) known.settled.set(name, bytes);
      sizes.set(name, bytes);
    }
  };
  await Promise.all(Array.from({ length: foldersAtOnce }, measureNext));
  for (const name of known.settled.keys()) if (!sizes.has(name)) known.settled.delete(name);
  return sizes;
}

const sum = (sizes: ReadonlyMap<string, number>): number => sizes.values().reduce((total, bytes) => total + bytes, 0);

async function sumFiles(path: string, wanted: (name: string) => boolean): Promise<number> {
  let bytes = 0;
  for (const entry of await readFolder(path))
    if (!entry.isDirectory() && wanted(entry.name)) bytes += await measureFile(join(path, entry.name));
  return bytes;
}
