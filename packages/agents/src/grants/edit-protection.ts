import { relative, sep } from "node:path";
import { type FileWarning, findProtection, findTrustedFile } from "../workspace/protected-paths.ts";
import { findRealPath, isInsideWorktree } from "./worktree-paths.ts";

/** Why the user has to agree before an agent edits a file of its folder, by real path; null for ordinary files and others. */
export function findEditProtection(path: string, place: { directory: string; trustedFiles: readonly string[] }): FileWarning | null {
  const { directory, trustedFiles } = place;
  const [root, real] = [findRealPath(directory), findRealPath(path, directory)];
  if (root === undefined || real === undefined || !isInsideWorktree(real, { directory: root })) return null;
  const inside = relative(root, real).split(sep).join("/");
  return findProtection(inside) ?? findTrustedFile(inside, trustedFiles);
}
