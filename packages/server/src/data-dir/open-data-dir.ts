import { join, resolve } from "node:path";
import { ensurePrivateFolder } from "./private-path.ts";
import { readOrCreateToken } from "./token-file.ts";

export type DataFolder = "executions" | "worktrees" | "run" | "backups" | "logs";

export interface DataDir {
  readonly home: string;
  /** The bearer token of the API. */
  readonly token: string;
  /** Path of a folder, which is created on first use. */
  folder(name: DataFolder): string;
  /** Path of a file directly in the data dir; creates nothing. */
  file(name: string): string;
}

/** Throws `DataDirError` if the folder belongs to another user or cannot be made private. */
export function openDataDir(home: string): DataDir {
  const root = resolve(home);
  ensurePrivateFolder(root);
  const token = readOrCreateToken(join(root, "token"));
  const known = new Map<DataFolder, string>();
  return {
    home: root,
    token,
    folder(name) {
      const path = known.get(name) ?? join(root, name);
      if (!known.has(name)) {
        ensurePrivateFolder(path);
        known.set(name, path);
      }
      return path;
    },
    file: (name) => join(root, name),
  };
}
