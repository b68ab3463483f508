import { relative, sep } from "node:path";
import { type FileWarning, findProtection, findTrustedFile } from "../workspace/protected-paths.ts";
import { findRealPath, isInsideWorktree } from "./worktree-paths.ts";

/** Why an edit of a file in the agent's folder needs the user's approval, by real path; null for other files. */
export function findEditProtection(path: string, place: { directory: string; trustedFiles: readonly string[] }): FileWarning | null {
  const { directory, trustedFiles } = place;
  const [root, real] = [findRealPath(directory), findRealPath(path, directory)];
  if (root === undefined || real === undefined || !isInsideWorktree(real, { directory: root })) return null;
  const inside = relative(root, real).split(sep).join("/");
  return findProtection(inside) ?? findTrustedFile(inside, trustedFiles);
}
