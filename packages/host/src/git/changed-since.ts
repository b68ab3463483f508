import { lstat } from "node:fs/promises";
import { listAncestors, toFsPath } from "./byte-path.ts";
import { type GitFolder, runOwnGit } from "./git-folder.ts";
import { openBase } from "./snapshot.ts";

const maxListBytes = 64 * 1024 * 1024;
const atOnce = 200;

/**
 * Whether any file that is not ignored was written, created, renamed or removed after a time (epoch ms). A removed file is detected by
 * the time of its folder.
 */
export async function hasChangedSince(folder: GitFolder, baseCommit: string | null, moment: number): Promise<boolean> {
  await openBase(folder, baseCommit);
  const which = ["ls-files", "--cached", "--others", "--exclude-standard", "-z"];
  const output = await runOwnGit(folder, which, { maxBytes: maxListBytes, encoding: "latin1" });
  const files = output.split("\0").filter((path) => path !== "");
  const paths = [...new Set([".", ...files.flatMap(listAncestors), ...files])];
  for (let from = 0; from < paths.length; from += atOnce) {
    const found = await Promise.all(
      paths.slice(from, from + atOnce).map((path) => lstat(toFsPath(folder.directory, path)).catch(() => undefined)),
    );
    // ctime, not mtime: moving or unpacking a file can keep its mtime
    if (found.some((stats) => stats !== undefined && stats.ctimeMs > moment)) return true;
  }
  return false;
}
