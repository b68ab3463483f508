import { type GitFolder, runOwnGit, tryOwnGit } from "./git-folder.ts";

/** Reads a blob as stored: no filter runs (X9). Omits the bytes if there are more than `maxBytes`; null if it does not exist. */
export async function readBlob(folder: GitFolder, id: string, maxBytes: number): Promise<{ size: number; bytes: Buffer } | null> {
  const size = await tryOwnGit(folder, ["cat-file", "-s", `${id}^{blob}`]);
  if (size === null) return null;
  if (Number(size) > maxBytes) return { size: Number(size), bytes: Buffer.alloc(0) };
  const content = await runOwnGit(folder, ["cat-file", "blob", id], { encoding: "latin1", maxBytes: maxBytes + 1 });
  return { size: Number(size), bytes: Buffer.from(content, "latin1") };
}
