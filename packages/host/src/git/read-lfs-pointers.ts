import { type GitFolder, runOwnGit } from "./git-folder.ts";
import { type LfsPointer, maxPointerBytes, parseLfsPointer } from "./lfs-pointer.ts";
import { readBlobs } from "./own-git-dir.ts";

/** The blobs among `ids` that are Git LFS pointers. Blobs too large to be pointers are not read. */
export async function readLfsPointers(folder: GitFolder, ids: Iterable<string>): Promise<Map<string, LfsPointer>> {
  const distinct = [...new Set(ids)];
  if (distinct.length === 0) return new Map();
  const options = { input: `${distinct.join("\n")}\n`, maxBytes: 512 * 1024 * 1024 };
  const sizes = await runOwnGit(folder, ["cat-file", "--batch-check"], options);
  const small = sizes.split("\n").flatMap((line) => {
    const [id = "", kind, size] = line.split(" ");
    return kind === "blob" && Number(size) <= maxPointerBytes ? [id] : [];
  });
  const pointers = new Map<string, LfsPointer>();
  for (const [id, content] of await readBlobs(folder, small)) {
    const pointer = parseLfsPointer(content);
    if (pointer !== undefined) pointers.set(id, pointer);
  }
  return pointers;
}
