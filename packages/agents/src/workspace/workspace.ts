import { constants } from "node:fs";
import { type FileHandle, lstat, mkdir, open, readlink, realpath, stat } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { findProtection } from "./protected-paths.ts";

/** A place in the workspace, by its real path: no symlink is left in it. */
export interface WorkspacePath {
  absolute: string;
  /** With `/`; `.` for the workspace's own folder. */
  relative: string;
  exists: boolean;
  /** Why a person has to agree before a tool writes here; null for ordinary files. */
  protection: string | null;
}

/** A path that a tool must not touch, or that cannot be used as asked; the message is for the model. */
export class WorkspaceError extends Error {
  override readonly name = "WorkspaceError";
}

/** An open folder; `path` leads into that very folder even when its name has been given to something else since. */
export interface OpenDirectory {
  path: string;
  close(): Promise<void>;
}

/**
 * The folder that an attempt's tools are confined to. `resolve` decides by real path; the opening methods check again
 * what was really opened, so a symlink that is put in place between the two leads nowhere.
 */
export interface Workspace {
  readonly root: string;
  resolve(path: string): Promise<WorkspacePath>;
  /** As `resolve`, and also lets through what stands in the readable folders outside (spilled outputs). */
  resolveReadable(path: string): Promise<WorkspacePath>;
  openFile(path: WorkspacePath): Promise<FileHandle>;
  openDirectory(absolute: string): Promise<OpenDirectory>;
  /** Opens the folder that holds `path`, making it when it is missing. */
  openParent(path: WorkspacePath): Promise<OpenDirectory>;
}

const directoryFlags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
// A FIFO without a writer would block an open for ever: O_NONBLOCK returns and the type check refuses it.
const fileFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

export async function openWorkspace(directory: string, options: { readable?: readonly string[] } = {}): Promise<Workspace> {
  const root = await realpath(directory);
  const readable = options.readable ?? [];

  const resolveIn = async (path: string): Promise<WorkspacePath> => {
    const { real, exists } = await resolveReal(resolve(root, checkName(path)), path);
    const inside = toRelative(root, real);
    return { absolute: real, relative: inside ?? real, exists, protection: inside === undefined ? null : findProtection(inside) };
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
  const openDirectory = async (absolute: string): Promise<OpenDirectory> => {
    const handle = await open(absolute, directoryFlags).catch((error) => rethrow(error, absolute));
    try {
      if (toRelative(root, await realPathOf(handle, absolute)) === undefined) refuse(absolute);
      return { path: linkTo(handle) ?? absolute, close: () => handle.close() };
    } catch (error) {
      await handle.close();
      throw error;
    }
  };

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
        const real = await realPathOf(handle, path.absolute);
        if (toRelative(root, real) === undefined && !(await isReadable(real))) refuse(path.relative);
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
        try {
          await mkdir(child).catch((error) => (codeOf(error) === "EEXIST" ? undefined : rethrow(error, path.relative)));
          const next = await openDirectory(child);
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

/** The real path of what is there, with the rest that is not there yet. */
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
      // A symlink to nothing is no free name: writing through it would create a file wherever it points.
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

/** Undefined when `path` is not in `root`. A sibling whose name begins like the root's is not in it. */
function toRelative(root: string, path: string): string | undefined {
  const steps = relative(root, path);
  if (steps === "") return ".";
  if (steps === ".." || steps.startsWith(`..${sep}`) || isAbsolute(steps)) return undefined;
  return sep === "/" ? steps : steps.replaceAll(sep, "/");
}

function linkTo(handle: FileHandle): string | undefined {
  return process.platform === "linux" ? `/proc/self/fd/${handle.fd}` : undefined;
}

/** Where the thing behind an open handle really is. */
async function realPathOf(handle: FileHandle, openedAs: string): Promise<string> {
  const link = linkTo(handle);
  if (link !== undefined) return readlink(link);
  const real = await realpath(openedAs);
  const [opened, found] = await Promise.all([handle.stat(), stat(real)]);
  if (opened.dev !== found.dev || opened.ino !== found.ino)
    throw new WorkspaceError(`${openedAs} was exchanged while it was being opened.`);
  return real;
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
