import { posix } from "node:path";
import picomatch from "picomatch";
import { type WalkedFile, walkFiles } from "../workspace/walk-files.ts";
import type { Workspace, WorkspacePath } from "../workspace/workspace.ts";
import { readTextFile } from "./read-text-file.ts";
import { type SearchQuery, toMatch } from "./search-match.ts";

/** Where ripgrep is not installed. Files that are not text, or too large, are passed over. */
export async function searchByWalking(workspace: Workspace, folder: WorkspacePath, regex: RegExp, query: SearchQuery): Promise<void> {
  const { glob } = query;
  const fits = glob === undefined ? () => true : picomatch(glob, { dot: true, basename: !glob.includes("/") });
  for await (const file of walkFiles(workspace, folder, query.signal)) {
    if (!fits(posix.relative(folder.relative, file.relative))) continue;
    if (!(await searchFile(workspace, file, regex, query))) return;
  }
}

/** False when enough has been found. */
export async function searchFile(workspace: Workspace, file: WalkedFile, regex: RegExp, query: SearchQuery): Promise<boolean> {
  const content = await readTextFile(workspace, { ...file, exists: true, protection: null }).catch(() => undefined);
  for (const [index, line] of content?.text.split("\n").entries() ?? []) {
    if (regex.test(line) && !query.onMatch(toMatch(file.relative, index + 1, line))) return false;
  }
  return true;
}
