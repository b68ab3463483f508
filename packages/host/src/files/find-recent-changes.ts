import type { Stats } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Workspaces } from "../port/workspaces.ts";

const maxEntries = 2000;
const maxFound = 5;
const skipped = new Set([".git", "node_modules"]);

/** See `Workspaces.findRecentChanges`. */
export const findRecentChanges: Workspaces["findRecentChanges"] = async ({ path, from, to }) => {
  const isRecent = ({ ctimeMs }: Stats): boolean => ctimeMs >= from && ctimeMs <= to;
  const stats = await lstat(path).catch(() => undefined);
  if (stats === undefined) {
    const parent = await lstat(dirname(path)).catch(() => undefined);
    return parent !== undefined && isRecent(parent) ? [path] : [];
  }
  if (!stats.isDirectory()) return isRecent(stats) ? [path] : [];
  const found: string[] = [];
  const folders = [path];
  for (
    let seen = 0, folder = folders.shift();
    folder !== undefined && seen < maxEntries && found.length < maxFound;
    folder = folders.shift()
  ) {
    for (const name of await readdir(folder).catch(() => [])) {
      if (++seen > maxEntries || found.length >= maxFound) break;
      if (skipped.has(name)) continue;
      const entry = join(folder, name);
      const about = await lstat(entry).catch(() => undefined);
      if (about?.isDirectory()) folders.push(entry);
      else if (about !== undefined && isRecent(about)) found.push(entry);
    }
  }
  return found;
};
