import { lstat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { runGit } from "./run-git.ts";

const maxListBytes = 64 * 1024 * 1024;
const atOnce = 200;

/**
 * Whether anything of a folder that git does not ignore was written, made, renamed or removed after a moment (epoch ms).
 * Of a file that is gone only its folder tells.
 */
export async function hasChangedSince(directory: string, moment: number): Promise<boolean> {
  const which = ["ls-files", "--cached", "--others", "--exclude-standard", "-z"];
  const files = (await runGit(which, { cwd: directory, maxBytes: maxListBytes })).split("\0").filter((path) => path !== "");
  const paths = [...new Set([".", ...files.flatMap(listAncestors), ...files])];
  for (let from = 0; from < paths.length; from += atOnce) {
    const found = await Promise.all(paths.slice(from, from + atOnce).map((path) => lstat(join(directory, path)).catch(() => undefined)));
    // the time of the inode: the time of the content is kept by whoever moves or unpacks a file
    if (found.some((stats) => stats !== undefined && stats.ctimeMs > moment)) return true;
  }
  return false;
}

function listAncestors(path: string): string[] {
  const folder = dirname(path);
  return folder === "." ? [] : [folder, ...listAncestors(folder)];
}
