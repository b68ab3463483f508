import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";

/** Folders that the host measures. */
const ofHost: ReadonlySet<string> = new Set(["executions", "worktrees", "spill", "quarantine"]);

/** Sizes on disk of the database and of everything else that the host does not measure, in bytes. Does not follow links. */
export async function measureDataDir(home: string): Promise<{ database: number; other: number }> {
  const use = { database: 0, other: 0 };
  for (const name of await readdir(home).catch(() => [])) {
    if (ofHost.has(name)) continue;
    use[name.startsWith("skein.db") ? "database" : "other"] += await measure(join(home, name));
  }
  return use;
}

/** Files may disappear meanwhile. */
async function measure(path: string): Promise<number> {
  const stats = await lstat(path).catch(() => undefined);
  if (stats === undefined) return 0;
  if (!stats.isDirectory()) return stats.blocks * 512 || stats.size;
  let bytes = 0;
  for (const name of await readdir(path).catch(() => [])) bytes += await measure(join(path, name));
  return bytes;
}
