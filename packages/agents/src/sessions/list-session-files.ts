import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { ImportProblem } from "@skein/contracts";

/** A program with more files than this is not read to the end. */
const maxFiles = 200_000;

export interface SessionFile {
  path: string;
  bytes: number;
  modifiedAt: number;
}

/** Whether something exists at this path. */
export async function pathExists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

/**
 * The files below a folder whose names `matches`, at most `depth` folders deep. Links are not followed: a loop, or a link to a
 * device, must not be read. A folder that cannot be listed is a problem; one that does not exist is not.
 */
export async function listSessionFiles(
  folder: string,
  options: { depth: number; matches(name: string): boolean; problems: ImportProblem[]; pause(): Promise<void> | undefined },
): Promise<SessionFile[]> {
  const found: SessionFile[] = [];
  async function visit(directory: string, depth: number): Promise<void> {
    const entries = await readdir(directory, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT" && error.code !== "ENOTDIR") {
        options.problems.push({ code: "unreadable-file", file: directory, detail: error.message });
      }
      return [];
    });
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      if (found.length >= maxFiles) return;
      const path = join(directory, entry.name);
      if (entry.isDirectory()) {
        if (depth > 0) await visit(path, depth - 1);
      } else if (entry.isFile() && options.matches(entry.name)) {
        const stats = await lstat(path).catch(() => undefined);
        if (stats?.isFile()) found.push({ path, bytes: stats.size, modifiedAt: Math.round(stats.mtimeMs) });
      }
      const waiting = options.pause();
      if (waiting !== undefined) await waiting;
    }
  }
  await visit(folder, options.depth);
  return found;
}

/** Changes when a file has been written to. */
export function toFingerprint(files: readonly SessionFile[]): string {
  return files.map(({ bytes, modifiedAt }) => `${bytes.toString(36)}.${modifiedAt.toString(36)}`).join("-");
}
