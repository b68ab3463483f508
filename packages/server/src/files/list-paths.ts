import { runGit } from "../git/run-git.ts";

/** Typing asks again for every letter: what was read a moment ago still counts. */
const freshMs = 3000;
const maxBytes = 64 * 1024 * 1024;
const maxKept = 8;

/** Everything that git would look at in a folder, and the folders of it; ignored files are left out. */
export function createPathLists(now: () => number): (directory: string) => Promise<readonly string[]> {
  const known = new Map<string, { at: number; paths: Promise<readonly string[]> }>();
  return (directory) => {
    const kept = known.get(directory);
    if (kept !== undefined && now() - kept.at < freshMs) return kept.paths;
    const paths = readPaths(directory);
    known.delete(directory);
    known.set(directory, { at: now(), paths });
    for (const oldest of known.keys()) if (known.size > maxKept) known.delete(oldest);
    paths.catch(() => known.delete(directory));
    return paths;
  };
}

async function readPaths(directory: string): Promise<readonly string[]> {
  const output = await runGit(["ls-files", "--cached", "--others", "--exclude-standard", "-z"], { cwd: directory, maxBytes });
  // A file in conflict is named once for each side.
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
