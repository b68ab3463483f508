import { type GitFolder, runOwnGit, tryOwnGit } from "./git-folder.ts";

/** A content by git's id, as it is stored: no filter runs (X9). Without its bytes where it has more than `maxBytes`; null where it is not there. */
export async function readBlob(folder: GitFolder, id: string, maxBytes: number): Promise<{ size: number; bytes: Buffer } | null> {
  const size = await tryOwnGit(folder, ["cat-file", "-s", `${id}^{blob}`]);
  if (size === null) return null;
  if (Number(size) > maxBytes) return { size: Number(size), bytes: Buffer.alloc(0) };
  const content = await runOwnGit(folder, ["cat-file", "blob", id], { encoding: "latin1", maxBytes: maxBytes + 1 });
  return { size: Number(size), bytes: Buffer.from(content, "latin1") };
}
