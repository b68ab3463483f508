import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { measurePath } from "@skein/host";

/** Folders that the host measures. */
const ofHost: ReadonlySet<string> = new Set(["executions", "worktrees", "spill", "quarantine", "homes"]);

/** Sizes on disk of the database and of everything else that the host does not measure, in bytes. */
export async function measureDataDir(home: string): Promise<{ database: number; other: number }> {
  const use = { database: 0, other: 0 };
  for (const name of await readdir(home).catch(() => [])) {
    if (!ofHost.has(name)) use[name.startsWith("skein.db") ? "database" : "other"] += await measurePath(join(home, name));
  }
  return use;
}
