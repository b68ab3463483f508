import { randomBytes } from "node:crypto";
import { basename } from "node:path";
import type { Workspace, WorkspacePath } from "./workspace.ts";

/** A reader sees the old file or the new one, never a part. Keeps the file's mode. */
export async function writeFileAtomically(workspace: Workspace, path: WorkspacePath, content: Buffer, mode: number): Promise<void> {
  const parent = await workspace.openParent(path);
  try {
    // Not derived from the file's own name, which may have the maximum length.
    const temporary = `.skein-${randomBytes(8).toString("hex")}.tmp`;
    try {
      const handle = await parent.createFile(temporary, 0o600);
      try {
        await handle.writeFile(content);
        await handle.chmod(mode);
      } finally {
        await handle.close();
      }
      await parent.rename(temporary, basename(path.absolute));
    } catch (error) {
      await parent.removeFile(temporary).catch(() => {});
      throw error;
    }
  } finally {
    await parent.close();
  }
}
