import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";

/** Size on disk of a folder's content in bytes. Does not follow links. */
export async function measureFolder(path: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readFolder(path)) {
    const inside = join(path, entry.name);
    bytes += entry.isDirectory() ? await measureFolder(inside) : await measureFile(inside);
  }
  return bytes;
}

/** Empty if the folder disappears meanwhile. */
export function readFolder(path: string) {
  return readdir(path, { withFileTypes: true }).catch(() => []);
}

/** Size on disk of a file in bytes. */
export async function measureFile(path: string): Promise<number> {
  const stats = await lstat(path).catch(() => undefined);
  return stats === undefined ? 0 : (stats.blocks ?? 0) * 512 || stats.size;
}
