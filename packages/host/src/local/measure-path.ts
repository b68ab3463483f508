import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";

/** Size on disk of a file, or of everything in a folder, in bytes; 0 if it does not exist. Does not follow links. */
export async function measurePath(path: string): Promise<number> {
  const stats = await lstat(path).catch(() => undefined);
  if (stats === undefined) return 0;
  if (!stats.isDirectory()) return (stats.blocks ?? 0) * 512 || stats.size;
  let bytes = 0;
  for (const name of await readdir(path).catch(() => [])) bytes += await measurePath(join(path, name));
  return bytes;
}
