import { realpath } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { ServiceError } from "@skein/engine";

/** Throws if a folder to be deleted is not inside the worktree root, after resolving links (X12). */
export async function assertInside(root: string, directory: string): Promise<void> {
  const realRoot = await realpath(root);
  const realDirectory = join(await realpath(dirname(directory)), directory.slice(dirname(directory).length + 1));
  if (!realDirectory.startsWith(realRoot + sep)) {
    throw new ServiceError("forbidden", { code: "outside-worktrees", directory });
  }
}
