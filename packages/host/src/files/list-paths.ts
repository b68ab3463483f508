import { keepNewest } from "@skein/engine";
import { type GitFolder, runOwnGit } from "../git/git-folder.ts";

/** Completion requests paths on every keystroke, so a listing is reused for this long. */
const freshMs = 3000;
const maxBytes = 64 * 1024 * 1024;
const maxKept = 8;

/** Lists the files and folders that no ignore rule excludes. Listings are cached by `key`; `open` is called on a cache miss. */
export function createPathLists(now: () => number): (key: string, open: () => Promise<GitFolder>) => Promise<readonly string[]> {
  const known = new Map<string, { at: number; paths: Promise<readonly string[]> }>();
  return (key, open) => {
    const kept = known.get(key);
    if (kept !== undefined && now() - kept.at < freshMs) return kept.paths;
    const paths = open().then(readPaths);
    known.delete(key);
    known.set(key, { at: now(), paths });
    keepNewest(known, maxKept);
    paths.catch(() => known.delete(key));
    return paths;
  };
}

async function readPaths(folder: GitFolder): Promise<readonly string[]> {
  const output = await runOwnGit(folder, ["ls-files", "--cached", "--others", "--exclude-standard", "-z"], { maxBytes });
  const files = new Set(output.split("\0"));
  files.delete("");
  return [...toFolders(files), ...files];
}

function toFolders(files: Iterable<string>): Set<string> {
  const folders = new Set<string>();
  for (const file of files) {
    for (let end = file.lastIndexOf("/"); end > 0; end = file.lastIndexOf("/", end - 1)) {
      const folder = file.slice(0, end + 1);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  return folders;
}
