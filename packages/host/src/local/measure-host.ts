import { existsSync } from "node:fs";
import { join } from "node:path";
import { trashName } from "../git/worktree-trash.ts";
import type { Host, HostUse } from "../port/host.ts";
import { executionFolder } from "../runner/execution-folder.ts";
import { type DataFolders, listNames } from "./data-folders.ts";
import { measureInThread } from "./measure-thread.ts";

/** Folders read concurrently: the work is I/O-bound. */
const foldersAtOnce = 16;

/** Folders of ended executions do not change and are measured once. */
export function createMeasurement(folders: DataFolders): Host["measure"] {
  const settled = { logs: new Map<string, number>(), outputs: new Map<string, number>() };
  const hasEnded = (id: string): boolean => existsSync(executionFolder(join(folders.executions, id)).exit);
  let measuring: Promise<HostUse> | undefined;

  async function measure(): Promise<HostUse> {
    const executionLogs = await measureChildren(folders.executions, { known: settled.logs, hasEnded });
    const outputs = await measureChildren(folders.outputs, { known: settled.outputs, hasEnded });
    const { [trashName]: trash = 0, ...worktrees } = Object.fromEntries(await measureChildren(folders.worktrees));
    return {
      executionLogs: Object.fromEntries(executionLogs),
      outputs: Object.fromEntries(outputs),
      worktrees,
      trash,
      quarantine: await measureInThread(folders.quarantine),
      sandboxHomes: Object.fromEntries(await measureChildren(folders.homes)),
    };
  }

  return () => {
    // concurrent calls share one walk
    measuring ??= measure().finally(() => {
      measuring = undefined;
    });
    return measuring;
  };
}

/** Sizes of the subfolders of a folder, by name. */
async function measureChildren(
  path: string,
  settled: { known: Map<string, number>; hasEnded(name: string): boolean } = { known: new Map(), hasEnded: () => false },
): Promise<Map<string, number>> {
  const sizes = new Map<string, number>();
  const left = await listNames(path);
  const measureNext = async () => {
    for (let name = left.pop(); name !== undefined; name = left.pop()) {
      // before it is measured: it may end meanwhile
      const hasEnded = settled.known.has(name) || settled.hasEnded(name);
      const bytes = settled.known.get(name) ?? (await measureInThread(join(path, name)));
      if (hasEnded) settled.known.set(name, bytes);
      sizes.set(name, bytes);
    }
  };
  await Promise.all(Array.from({ length: foldersAtOnce }, measureNext));
  for (const name of settled.known.keys()) if (!sizes.has(name)) settled.known.delete(name);
  return sizes;
}
