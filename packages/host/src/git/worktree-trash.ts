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

/** Result of `emptyTrash`. */
export interface EmptiedTrash {
  /** The limit was reached. */
  hasMore: boolean;
  /** Number of entries that could not be deleted, with the reason of the first; null if there are none. */
  left: { entries: number; reason: string } | null;
}

/**
 * Deletes up to `limit` entries in the trash of a worktree root and nothing else (X12), one by one with pauses. Skips what cannot be
 * deleted.
 */
export async function emptyTrash(root: string, limit: number): Promise<EmptiedTrash> {
  const trash = join(root, trashName);
  const remover = createRemover(limit);
  for (const name of await readdir(trash).catch(() => [])) {
    const folder = join(trash, name);
    await assertInside(root, folder);
    await remover.remove(folder);
  }
  return remover.result();
}

function createRemover(limit: number) {
  let operations = 0;
  let removed = 0;
  let entries = 0;
  let firstError: unknown;
  const hasMore = (): boolean => removed >= limit;

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
      removed += 1;
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
    if (hasMore()) return false;
    if (stats === undefined) return true;
    // links are removed, never followed
    if (!stats.isDirectory()) return attempt(path, unlink);
    let isEmpty = true;
    for (const entry of await listEntries(path)) {
      const child = join(path, entry.name);
      const isGone = entry.isDirectory() ? await remove(child) : await attempt(child, unlink);
      if (hasMore()) return false;
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
    result: (): EmptiedTrash => ({
      hasMore: hasMore(),
      left: firstError === undefined ? null : { entries, reason: String(firstError) },
    }),
  };
}

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? "";
