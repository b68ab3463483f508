import { lstatSync, realpathSync } from "node:fs";
import { dirname, relative, resolve, sep } from "node:path";

/** The folder that commands may read, and where one of them runs. */
export interface WorktreePlace {
  /** The attempt's folder. */
  directory: string;
  /** Where the command runs; default: the attempt's folder. */
  cwd?: string | undefined;
}

/**
 * Whether a path is in the worktree by real path. `..` never is: its meaning depends on links before it. A path that does not exist is
 * judged by its parent folder; a dangling link is rejected.
 */
export function isInsideWorktree(path: string, { directory, cwd = directory }: WorktreePlace): boolean {
  if (path === "" || path.includes("\0") || path.split(/[\\/]/).includes("..")) return false;
  const root = findRealPath(directory);
  const real = findRealPath(resolve(cwd, path));
  return root !== undefined && real !== undefined && isBelow(root, real);
}

/** Whether a word that is not a path for its program would lead out of the worktree if it were one. */
export function leadsOutside(text: string, place: WorktreePlace): boolean {
  const path = resolve(place.cwd ?? place.directory, text);
  return exists(path) && !isInsideWorktree(text, place);
}

/** Whether both are the same folder by real path. */
export function isSameFolder(one: string, other: string): boolean {
  const real = findRealPath(one);
  return real !== undefined && real === findRealPath(other);
}

function isBelow(root: string, path: string): boolean {
  const way = relative(root, path);
  return way === "" || !(way === ".." || way.startsWith(`..${sep}`) || resolve(root, way) !== path);
}

/** For a path that does not exist, the path that it would have. Undefined if that cannot be determined. */
export function findRealPath(path: string, cwd = "/"): string | undefined {
  return resolveReal(resolve(cwd, path));
}

function resolveReal(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const parent = dirname(path);
    if ((code !== "ENOENT" && code !== "ENOTDIR") || parent === path || exists(path)) return undefined;
    const real = resolveReal(parent);
    return real === undefined ? undefined : resolve(real, path.slice(parent.length).replace(/^[\\/]+/, ""));
  }
}

function exists(path: string): boolean {
  try {
    lstatSync(path);
    return true;
  } catch (error) {
    return !["ENOENT", "ENOTDIR", "ENAMETOOLONG"].includes((error as NodeJS.ErrnoException).code ?? "");
  }
}
