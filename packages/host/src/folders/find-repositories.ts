import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";

const levels = 2;
const mostFolders = 600;
const longestMs = 1500;

/** Libraries, and folders for which macOS asks the user for permission. Skein does not search these. */
const skipped: ReadonlySet<string> = new Set([
  "node_modules",
  ...(process.platform === "darwin" ? ["Applications", "Desktop", "Documents", "Downloads", "Library", "Movies", "Music", "Pictures"] : []),
]);

export interface FoundRepository {
  path: string;
  /** Last modification of its `.git` (epoch ms). */
  changedAt: number;
}

/**
 * Finds repositories in the first two levels below a folder, most recently used first. The search is limited in folders and time,
 * follows no links and skips hidden folders and `except`.
 */
export async function findRepositories(root: string, { except }: { except: string }): Promise<FoundRepository[]> {
  const endAt = performance.now() + longestMs;
  const found: FoundRepository[] = [];
  let looked = 0;
  let folders = [root];
  for (let level = 1; level <= levels; level++) {
    const next: string[] = [];
    for (const folder of folders) {
      for (const path of await listChildren(folder)) {
        if (++looked > mostFolders || performance.now() > endAt) return sort(found);
        if (path === except) continue;
        const git = await lstat(join(path, ".git")).catch(() => undefined);
        if (git === undefined) next.push(path);
        else found.push({ path, changedAt: git.mtimeMs });
      }
    }
    folders = next;
  }
  return sort(found);
}

async function listChildren(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith(".") && !skipped.has(entry.name))
    .map(({ name }) => join(folder, name));
}

function sort(found: FoundRepository[]): FoundRepository[] {
  return found.sort((a, b) => b.changedAt - a.changedAt);
}
