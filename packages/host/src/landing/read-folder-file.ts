import { createHash } from "node:crypto";
import { lstat } from "node:fs/promises";
import { toFsPath } from "../git/byte-path.ts";
import type { GitFolder } from "../git/git-folder.ts";
import { toBytePath } from "./folder-tree.ts";

/** A larger file is not read. */
const maxBytes = 64 * 1024 * 1024;

/** A file as it is now. `special`: a link, also of a folder on the way to it, a pipe, a device or a folder. None of them is read. */
export type FolderFile =
  | { kind: "none" | "special"; id: string }
  /** `bytes` is null if the file is too large. */
  | { kind: "file"; id: string; bytes: Buffer | null };

/** Reads a file of the folder. An agent may have put anything in its place (X10): an endless device, or a pipe that nobody writes to. */
export async function readFolderFile({ directory }: GitFolder, path: string): Promise<FolderFile> {
  const special: FolderFile = { kind: "special", id: "special" };
  const status = await lstat(toFsPath(directory, toBytePath(path))).catch(() => undefined);
  if (status === undefined) return { kind: "none", id: "" };
  if (!status.isFile()) return special;
  const { openWorkspace, WorkspaceError } = await import("@skein/agents/workspace");
  try {
    const workspace = await openWorkspace(directory);
    const place = await workspace.resolve(path);
    if (place.relative !== path) return special;
    const file = await workspace.openFile(place);
    try {
      const { size, mtimeMs } = await file.stat();
      if (size > maxBytes) return { kind: "file", id: `${size} ${mtimeMs}`, bytes: null };
      const bytes = await file.readFile();
      return { kind: "file", id: createHash("sha256").update(bytes).digest("hex"), bytes };
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof WorkspaceError) return special;
    throw error;
  }
}
