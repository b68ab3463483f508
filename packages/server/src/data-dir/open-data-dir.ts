import { join, resolve } from "node:path";
import { ensurePrivateFolder } from "./private-path.ts";
import { readOrCreateToken } from "./token-file.ts";

export type DataFolder = "executions" | "worktrees" | "run" | "backups" | "logs";

export interface DataDir {
  readonly home: string;
  /** The bearer token for programs. */
  readonly token: string;
  /** The folder's path; it is created when first asked for. */
  folder(name: DataFolder): string;
  /** A file directly in the data dir; nothing is created. */
  file(name: string): string;
}

/** Throws `DataDirError` when the folder belongs to someone else or cannot hold a secret. */
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
