import { type FileHandle, glob, lstat } from "node:fs/promises";
import { basename, join, sep } from "node:path";
import { openWorkspace, type Workspace, WorkspaceError, type WorkspacePath } from "@skein/agents/workspace";
import type { RepositoryText } from "@skein/contracts";

/** A file to copy to another host, or why one cannot be copied. */
export type CarriedFile = { path: string; mode: number; content: Uint8Array } | { problem: CopyProblem };

/** Files of a pattern that could not be copied. */
export type CopyProblem = Extract<RepositoryText, { code: "copy-too-much" | "copy-outside" }>;

const mostFiles = 5000;
const mostBytes = 500 * 1024 * 1024;

/**
 * Copies the files that match `patterns` from one folder to another: regular files only, inside both by real path, with their modes,
 * without overwriting. Returns what could not be copied.
 */
export async function copyFiles(input: { from: string; to: string; patterns: readonly string[] }): Promise<{ problems: CopyProblem[] }> {
  const from = await openWorkspace(input.from);
  const to = await openWorkspace(input.to);
  const problems: CopyProblem[] = [];
  const left = { files: mostFiles, bytes: mostBytes };
  for (const pattern of input.patterns) {
    const exclude = (name: string): boolean => isLeftOut(name, pattern);
    for await (const path of glob(pattern, { cwd: from.root, exclude })) {
      const copied = await copyOne({ path, from, to, left });
      if (copied === "too-much") return { problems: [...problems, { code: "copy-too-much", pattern }] };
      if (copied === "outside") problems.push({ code: "copy-outside", path });
    }
  }
  return { problems };
}

/** Larger files are not carried to another host: each is held in memory. */
const mostCarriedBytes = 32 * 1024 * 1024;

/** The files that `copyFiles` would copy, with their contents. */
export async function* readCarriedFiles(input: { from: string; patterns: readonly string[] }): AsyncGenerator<CarriedFile> {
  const from = await openWorkspace(input.from);
  const left = { files: mostFiles, bytes: mostBytes };
  for (const pattern of input.patterns) {
    const exclude = (name: string): boolean => isLeftOut(name, pattern);
    for await (const path of glob(pattern, { cwd: from.root, exclude })) {
      const stats = await lstat(join(from.root, path)).catch(() => undefined);
      if (stats?.isSymbolicLink()) yield { problem: { code: "copy-outside", path } };
      if (stats === undefined || !stats.isFile()) continue;
      if (left.files === 0 || left.bytes < stats.size || stats.size > mostCarriedBytes) {
        yield { problem: { code: "copy-too-much", pattern } };
        return;
      }
      left.files -= 1;
      left.bytes -= stats.size;
      const file = await readOne(from, path);
      yield file === undefined ? { problem: { code: "copy-outside", path } } : { path, mode: stats.mode & 0o777, content: file };
    }
  }
}

async function readOne(from: Workspace, path: string): Promise<Uint8Array | undefined> {
  try {
    const source = await from.openFile(await from.resolve(path));
    try {
      return await source.readFile();
    } finally {
      await source.close();
    }
  } catch (error) {
    if (error instanceof WorkspaceError) return undefined;
    throw error;
  }
}

/** Writes files that were read by `readCarriedFiles`, inside the folder by real path, without overwriting. */
export async function writeCarriedFiles(input: { to: string; files: AsyncIterable<CarriedFile> }): Promise<{ problems: CopyProblem[] }> {
  const to = await openWorkspace(input.to);
  const problems: CopyProblem[] = [];
  for await (const file of input.files) {
    if ("problem" in file) problems.push(file.problem);
    else if (!(await writeOne(to, file))) problems.push({ code: "copy-outside", path: file.path });
  }
  return { problems };
}

async function writeOne(to: Workspace, { path, mode, content }: Exclude<CarriedFile, { problem: unknown }>): Promise<boolean> {
  try {
    const target = await to.resolve(path);
    if (target.exists) return true;
    const parent = await to.openParent(target);
    try {
      const created = await parent.createFile(basename(target.absolute), 0o600);
      try {
        await created.writeFile(content);
        await created.chmod(mode & 0o777);
      } finally {
        await created.close();
      }
    } finally {
      await parent.close();
    }
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return true;
    if (error instanceof WorkspaceError) return false;
    throw error;
  }
}

/** Folders that a pattern matches only if it names them. */
function isLeftOut(path: string, pattern: string): boolean {
  const name = path.slice(path.lastIndexOf(sep) + 1);
  return name === ".git" || (name === "node_modules" && !pattern.includes("node_modules"));
}

async function copyOne(input: {
  path: string;
  from: Workspace;
  to: Workspace;
  left: { files: number; bytes: number };
}): Promise<"copied" | "passed-over" | "outside" | "too-much"> {
  const { path, from, to, left } = input;
  const stats = await lstat(join(from.root, path)).catch(() => undefined);
  if (stats === undefined || !stats.isFile()) return stats?.isSymbolicLink() ? "outside" : "passed-over";
  try {
    const source = await from.openFile(await from.resolve(path));
    try {
      const target = await to.resolve(path);
      const { size, mode } = await source.stat();
      if (target.exists) return "passed-over";
      if (left.files === 0 || left.bytes < size) return "too-much";
      left.files -= 1;
      left.bytes -= size;
      await copyContent(source, to, target, mode & 0o777);
      return "copied";
    } finally {
      await source.close();
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return "passed-over";
    if (error instanceof WorkspaceError) return "outside";
    throw error;
  }
}

/** Writes to a new file in the folder that was checked (X10). */
async function copyContent(source: FileHandle, to: Workspace, target: WorkspacePath, mode: number): Promise<void> {
  const parent = await to.openParent(target);
  try {
    const created = await parent.createFile(basename(target.absolute), 0o600);
    try {
      const chunk = Buffer.alloc(256 * 1024);
      for (;;) {
        const { bytesRead } = await source.read(chunk, 0, chunk.length);
        if (bytesRead === 0) break;
        await created.writeFile(chunk.subarray(0, bytesRead));
      }
      await created.chmod(mode);
    } finally {
      await created.close();
    }
  } finally {
    await parent.close();
  }
}
