import { type GitFolder, runOwnGit } from "./git-folder.ts";

const maxBytes = 512 * 1024 * 1024;

/** Regular files of an index: path (one character per byte) to blob id. Files with a conflict are left out. */
export async function listStagedFiles(folder: GitFolder, index: string): Promise<Map<string, string>> {
  const list = await runOwnGit(folder, ["ls-files", "--stage", "-z"], { target: { index }, encoding: "latin1", maxBytes });
  const ids = new Map<string, string>();
  for (const entry of list.split("\0")) {
    const [, id, path] = /^100\d+ ([0-9a-f]+) 0\t(.*)$/s.exec(entry) ?? [];
    if (id !== undefined && path !== undefined) ids.set(path, id);
  }
  return ids;
}
