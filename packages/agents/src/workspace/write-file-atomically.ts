import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Workspace, WorkspacePath } from "./workspace.ts";

/** A reader sees the old file or the new one, never half of it. The file's mode stays. */
export async function writeFileAtomically(workspace: Workspace, path: WorkspacePath, content: Buffer, mode: number): Promise<void> {
  const parent = await workspace.openParent(path);
  try {
    // Not made from the file's own name, which may be as long as a name can be.
    const temporary = join(parent.path, `.skein-${randomBytes(8).toString("hex")}.tmp`);
    try {
      const handle = await open(temporary, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, 0o600);
      try {
        await handle.writeFile(content);
        await handle.chmod(mode);
      } finally {
        await handle.close();
      }
      // A symlink that took the file's name meanwhile is replaced by the file, not followed.
      await rename(temporary, join(parent.path, basename(path.absolute)));
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  } finally {
    await parent.close();
  }
}
