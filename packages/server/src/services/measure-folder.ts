import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";

/** Bytes on disk of everything in it. Links are not followed: what they lead to is not kept here. */
export async function measureFolder(path: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readFolder(path)) {
    const inside = join(path, entry.name);
    bytes += entry.isDirectory() ? await measureFolder(inside) : await measureFile(inside);
  }
  return bytes;
}

/** What goes away while it is measured is not there. */
export function readFolder(path: string) {
  return readdir(path, { withFileTypes: true }).catch(() => []);
}

export async function measureFile(path: string): Promise<number> {
  const stats = await lstat(path).catch(() => undefined);
  return stats === undefined ? 0 : (stats.blocks ?? 0) * 512 || stats.size;
}
