import { closeSync, constants, lstatSync, mkdirSync, openSync, renameSync, rmSync } from "node:fs";
import { type FileHandle, lstat, mkdir, open, readlink, realpath, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { inFolder } from "./in-folder.ts";
import { type FileWarning, findProtection, findTrustedFile } from "./protected-paths.ts";

/** A path in the workspace, by its real path: without symlinks. */
export interface WorkspacePath {
  absolute: string;
  /** With `/`; `.` for the workspace's own folder. */
  relative: string;
  exists: boolean;
  /** Why a write here needs the user's approval; null for ordinary files. */
  protection: FileWarning | null;
}

/** A path that a tool must not touch, or that cannot be used as requested; the message is for the model. */
export class WorkspaceError extends Error {
  override readonly name = "WorkspaceError";
}

/**
 * An open folder. On Linux `path` refers to that very folder even if its name is reused; elsewhere it is the folder's name, and the
 * methods check that it still refers to the folder.
 */
export interface OpenDirectory {
  path: string;
  /** Creates a new file for writing. Nothing is written before it is verified to be in this folder. */
  createFile(name: string, mode: number): Promise<FileHandle>;
  createFolder(name: string): Promise<void>;
  /** Replaces an existing file of the new name; a link is replaced, not followed. */
  rename(from: string, to: string): Promise<void>;
  /** Does nothing if it does not exist. */
  removeFile(name: string): Promise<void>;
  close(): Promise<void>;
}

/**
 * The folder that an attempt's tools are confined to. `resolve` decides by real path; the opening methods compare it with what was really
 * opened. A file, or a folder on the way to it, that was replaced in between is rejected, so what was checked, including protection,
 * holds for what is used.
 */
export interface Workspace {
  readonly root: string;
  resolve(path: string): Promise<WorkspacePath>;
  /** Like `resolve`, but also accepts files in the readable folders outside (spilled outputs). */
  resolveReadable(path: string): Promise<WorkspacePath>;
  openFile(path: WorkspacePath): Promise<FileHandle>;
  openDirectory(absolute: string): Promise<OpenDirectory>;
  /** Opens the parent folder of `path`; creates it if it is missing. */
  openParent(path: WorkspacePath): Promise<OpenDirectory>;
}

const directoryFlags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
const newFileFlags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
const writeFlags = constants.O_WRONLY | constants.O_NOFOLLOW;
// Opening a FIFO without a writer would block forever: O_NONBLOCK returns and the type check rejects it.
const fileFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Additional folders and files of a workspace. */
export interface WorkspaceOptions {
  /** Readable folders outside of the workspace. */
  readable?: readonly string[];
  /** Files that trusted settings run: they are protected, too. */
  trusted?: readonly string[];
}

/** Opens a folder as a workspace. Rejects if the folder does not exist. */
export async function openWorkspace(directory: string, { readable = [], trusted = [] }: WorkspaceOptions = {}): Promise<Workspace> {
  const root = await realpath(directory);

  const resolveIn = async (path: string): Promise<WorkspacePath> => {
    const { real, exists } = await resolveReal(resolve(root, checkName(path)), path);
    const inside = toRelative(root, real);
    const protection = inside === undefined ? null : (findProtection(inside) ?? findTrustedFile(inside, trusted));
    return { absolute: real, relative: inside ?? real, exists, protection };
  };
  const isReadable = async (absolute: string): Promise<boolean> => {
    for (const folder of readable) {
      const real = await realpath(folder).catch(() => undefined);
      if (real !== undefined && toRelative(real, absolute) !== undefined) return true;
    }
    return false;
  };
  const refuse = (path: string): never => {
    throw new WorkspaceError(`${path} is outside of the working folder. Use a path inside it, relative to its root.`);
  };
  /** An open handle must refer to what was checked, by real path. */
  const assertOpened = async (handle: FileHandle, expected: string): Promise<void> => {
    const link = linkTo(handle);
    if (link === undefined) return assertSame(handle, expected);
    const real = await readlink(link);
    // a file that was replaced by another of its name is still the one that was checked
    if (real === expected || real === `${expected} (deleted)`) return;
    if (toRelative(root, real) === undefined && !(await isReadable(real))) refuse(expected);
    throw new WorkspaceError(`${toRelative(root, expected) ?? expected} was replaced while it was being opened. Try again.`);
  };
  /** `expected` is its real path. */
  const openFolder = async (path: string, expected: string): Promise<OpenDirectory> => {
    const handle = await open(path, directoryFlags).catch((error) => rethrow(error, expected));
    try {
      await assertOpened(handle, expected);
      if (toRelative(root, expected) === undefined) refuse(expected);
    } catch (error) {
      await handle.close();
      throw error;
    }
    const reached = linkTo(handle) ?? expected;
    return {
      path: reached,
      async createFile(name, mode) {
        const path = join(reached, name);
        const isReached = reached !== expected;
        if (!isReached) blocking(() => inFolder(expected, () => closeSync(openSync(name, newFileFlags, mode))), path);
        const created = await open(path, isReached ? newFileFlags : writeFlags, mode).catch((error) => rethrow(error, path));
        try {
          await assertOpened(created, join(expected, name));
          return created;
        } catch (error) {
          await created.close();
          throw error;
        }
      },
      async createFolder(name) {
        if (reached !== expected) await mkdir(join(reached, name)).catch((error) => rethrow(error, join(expected, name)));
        else blocking(() => inFolder(expected, () => mkdirSync(name)), join(expected, name));
      },
      async rename(from, to) {
        if (reached !== expected) await rename(join(reached, from), join(reached, to));
        else blocking(() => inFolder(expected, () => renameSync(from, to)), join(expected, to));
      },
      async removeFile(name) {
        if (reached !== expected) await rm(join(reached, name), { force: true });
        else blocking(() => inFolder(expected, () => rmSync(name, { force: true })), join(expected, name));
      },
      close: () => handle.close(),
    };
  };
  const openDirectory = (absolute: string): Promise<OpenDirectory> => openFolder(absolute, absolute);

  return {
    root,
    async resolve(path) {
      const resolved = await resolveIn(path);
      return toRelative(root, resolved.absolute) === undefined ? refuse(path) : resolved;
    },
    async resolveReadable(path) {
      const resolved = await resolveIn(path);
      if (toRelative(root, resolved.absolute) === undefined && !(await isReadable(resolved.absolute))) refuse(path);
      return resolved;
    },
    async openFile(path) {
      const handle = await open(path.absolute, fileFlags).catch((error) => rethrow(error, path.relative));
      try {
        if (toRelative(root, path.absolute) === undefined && !(await isReadable(path.absolute))) refuse(path.relative);
        await assertOpened(handle, path.absolute);
        const stats = await handle.stat();
        if (stats.isDirectory()) throw new WorkspaceError(`${path.relative} is a folder. Use the list tool to see what is in it.`);
        if (!stats.isFile()) throw new WorkspaceError(`${path.relative} is not a regular file.`);
        return handle;
      } catch (error) {
        await handle.close();
        throw error;
      }
    },
    openDirectory,
    async openParent(path) {
      const missing: string[] = [];
      let ancestor = dirname(path.absolute);
      while (!(await exists(ancestor))) {
        missing.unshift(basename(ancestor));
        ancestor = dirname(ancestor);
      }
      let directory = await openDirectory(ancestor);
      for (const name of missing) {
        const child = join(directory.path, name);
        ancestor = join(ancestor, name);
        try {
          await directory.createFolder(name).catch((error) => (codeOf(error) === "EEXIST" ? undefined : rethrow(error, path.relative)));
          const next = await openFolder(child, ancestor);
          await directory.close();
          directory = next;
        } catch (error) {
          await directory.close();
          throw error;
        }
      }
      return directory;
    },
  };
}

function checkName(path: string): string {
  if (path.includes("\0")) throw new WorkspaceError("A path cannot contain a NUL character.");
  return path;
}

/** The real path of the existing part, with the rest that does not exist yet. */
async function resolveReal(absolute: string, asked: string): Promise<{ real: string; exists: boolean }> {
  const rest: string[] = [];
  for (let current = absolute; ; current = dirname(current)) {
    try {
      const real = await realpath(current);
      if (rest.length > 0 && !(await stat(real)).isDirectory()) {
        throw new WorkspaceError(`${asked} leads through ${basename(current)}, which is not a folder.`);
      }
      return { real: join(real, ...rest), exists: rest.length === 0 };
    } catch (error) {
      if (codeOf(error) !== "ENOENT") rethrow(error, asked);
      // A dangling symlink is not a free name: writing through it would create a file at its target.
      if (await exists(current)) throw new WorkspaceError(`${asked} leads through a symbolic link to nothing.`);
      if (dirname(current) === current) rethrow(error, asked);
      rest.unshift(basename(current));
    }
  }
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

/** Undefined if `path` is not in `root`. A sibling whose name begins like the root's is not. */
function toRelative(root: string, path: string): string | undefined {
  const steps = relative(root, path);
  if (steps === "") return ".";
  if (steps === ".." || steps.startsWith(`..${sep}`) || isAbsolute(steps)) return undefined;
  return sep === "/" ? steps : steps.replaceAll(sep, "/");
}

function linkTo(handle: FileHandle): string | undefined {
  return process.platform === "linux" ? `/proc/self/fd/${handle.fd}` : undefined;
}

/** Without `/proc`: the file at `expected` must be the one behind the handle. */
async function assertSame(handle: FileHandle, expected: string): Promise<void> {
  const found = blocking(() => inFolder(dirname(expected), () => lstatSync(basename(expected) || ".")), expected);
  const opened = await handle.stat();
  if (opened.dev !== found.dev || opened.ino !== found.ino) {
    throw new WorkspaceError(`${expected} was replaced while it was being opened. Try again.`);
  }
}

function blocking<T>(work: () => T, path: string): T {
  try {
    return work();
  } catch (error) {
    return rethrow(error, path);
  }
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

const sentences: Record<string, string> = {
  ENOENT: "does not exist",
  ENOTDIR: "is not a folder, or leads through something that is none",
  ELOOP: "leads through a symbolic link that may not be followed",
  EACCES: "may not be accessed: permission denied",
  EPERM: "may not be accessed: not permitted",
  ENAMETOOLONG: "has too long a name",
};

function rethrow(error: unknown, path: string): never {
  const sentence = sentences[codeOf(error) ?? ""];
  if (error instanceof WorkspaceError || sentence === undefined) throw error;
  throw new WorkspaceError(`${path} ${sentence}.`, { cause: error });
}
