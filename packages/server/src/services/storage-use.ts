import { basename } from "node:path";
import type { ProjectId, StorageUse } from "@skein/contracts";
import type { StorageReader } from "@skein/engine";
import { measureDataDir } from "../data-dir/measure-data-dir.ts";
import type { ServiceContext } from "./service-context.ts";
import type { Services } from "./services.ts";

type ProjectUse = StorageUse["projects"][number];

const ownersAtOnce = 1000;

/** Sizes of what is on disk, by kind and by project. Measured on request. */
export function createStorageUseService({
  storage,
  host,
  home,
}: Pick<ServiceContext, "storage" | "host" | "home">): Services["storageUse"] {
  return async () => {
    const reader = storage.read;
    const { executionLogs, outputs, worktrees, trash, quarantine, sandboxHomes } = await host.measure();
    const projects = new Map<ProjectId, ProjectUse>();
    const ofProject = (projectId: ProjectId): ProjectUse => {
      const use = projects.get(projectId) ?? { projectId, worktrees: 0, executionLogs: 0, outputs: 0 };
      projects.set(projectId, use);
      return use;
    };
    for (const { id } of await reader.listProjects()) ofProject(id);
    for await (const { executionId, projectId } of listOwners(reader)) {
      ofProject(projectId).executionLogs += executionLogs[executionId] ?? 0;
      ofProject(projectId).outputs += outputs[executionId] ?? 0;
    }
    for (const { directory, projectId } of await reader.listWorktrees()) {
      ofProject(projectId).worktrees += worktrees[basename(directory)] ?? 0;
    }
    const dataDir = await measureDataDir(home);
    return {
      ...dataDir,
      database: dataDir.database + ((await storage.measure?.()) ?? 0),
      executionLogs: sum(executionLogs),
      outputs: sum(outputs),
      worktrees: sum(worktrees) + trash,
      sandboxHomes: sum(sandboxHomes),
      quarantine,
      deleting: { messages: await reader.countDeletedMessages(), worktrees: trash },
      projects: [...projects.values()],
    };
  };
}

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

const sum = (sizes: Readonly<Record<string, number>>): number => Object.values(sizes).reduce((total, bytes) => total + bytes, 0);
