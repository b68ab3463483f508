import { realpath } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/** The path of a folder, and its path without symbolic links, which many tools print. */
export async function listFolderNames(folder: string): Promise<string[]> {
  return [...new Set([folder, await toRealPath(folder)])];
}

/** For a missing folder, resolves the part that exists. */
async function toRealPath(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(await toRealPath(parent), basename(path));
  }
}
