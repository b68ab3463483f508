import { randomUUID } from "node:crypto";
import { chmod, lstat, mkdir, readdir, rename, rmdir, unlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { assertInside } from "./assert-inside.ts";

/** Inside the worktree root, so that moving a folder there is one rename on the same disk. */
export const trashName = ".trash";

const operationsAtOnce = 100;
const pauseMs = 5;

/**
 * Moves a deleted worktree to the trash, to be deleted by `emptyTrash`: deleting a large folder takes minutes. Returns false if it
 * cannot be moved. The caller has checked that the folder is inside the root.
 */
export async function moveToTrash(root: string, directory: string): Promise<boolean> {
  const trash = join(root, trashName);
  try {
    await mkdir(trash, { recursive: true, mode: 0o700 });
    // following a link would delete files elsewhere
    if (!(await lstat(trash)).isDirectory()) return false;
    await rename(directory, join(trash, `${basename(directory)}-${randomUUID()}`));
    return true;
  } catch {
    return false;
  }
}

/** Number of entries that could not be deleted, with the reason of the first. */
export interface TrashLeft {
  entries: number;
  reason: string;
}

/**
 * Deletes what is in the trash of a worktree root and nothing else (X12), file by file with pauses. Skips files that cannot be
 * deleted. Stops when the signal aborts; the next call continues.
 */
export async function emptyTrash(root: string, signal: AbortSignal): Promise<TrashLeft | null> {
  const trash = join(root, trashName);
  const remover = createRemover(signal);
  for (const name of await readdir(trash).catch(() => [])) {
    const folder = join(trash, name);
    await assertInside(root, folder);
    await remover.remove(folder);
  }
  return remover.left();
}

function createRemover(signal: AbortSignal) {
  let operations = 0;
  let entries = 0;
  let firstError: unknown;

  /** Resolves with false if the path still exists. */
  async function attempt(path: string, operation: (path: string) => Promise<void>): Promise<boolean> {
    if (++operations % operationsAtOnce === 0) await wait(pauseMs);
    try {
      await operation(path).catch(async (error: unknown) => {
        if (!["EACCES", "EPERM"].includes(codeOf(error))) throw error;
        // package managers may create read-only folders
        await chmod(dirname(path), 0o700);
        await operation(path);
      });
      return true;
    } catch (error) {
      if (codeOf(error) === "ENOENT") return true;
      entries += 1;
      firstError ??= error;
      return false;
    }
  }

  async function remove(path: string): Promise<boolean> {
    const stats = await lstat(path).catch(() => undefined);
    if (signal.aborted) return false;
    if (stats === undefined) return true;
    // links are removed, never followed
    if (!stats.isDirectory()) return attempt(path, unlink);
    let isEmpty = true;
    for (const entry of await listEntries(path)) {
      const child = join(path, entry.name);
      const isGone = entry.isDirectory() ? await remove(child) : await attempt(child, unlink);
      if (signal.aborted) return false;
      isEmpty &&= isGone;
    }
    return isEmpty && attempt(path, rmdir);
  }

  async function listEntries(path: string) {
    const list = () => readdir(path, { withFileTypes: true });
    return list().catch(async () => {
      await chmod(path, 0o700).catch(() => {});
      return list().catch((error: unknown) => {
        firstError ??= error;
        return [];
      });
    });
  }

  return {
    remove,
    left: (): TrashLeft | null => (firstError === undefined ? null : { entries, reason: String(firstError) }),
  };
}

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? "";
