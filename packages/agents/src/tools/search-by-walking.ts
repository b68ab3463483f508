import picomatch from "picomatch";
import { walkFiles } from "../workspace/walk-files.ts";
import type { Workspace, WorkspacePath } from "../workspace/workspace.ts";
import { readTextFile } from "./read-text-file.ts";
import { type SearchQuery, toMatch } from "./search-match.ts";

/** Where ripgrep is not installed. Files that are not text, or too large, are passed over. */
export async function searchByWalking(workspace: Workspace, start: WorkspacePath, regex: RegExp, query: SearchQuery): Promise<void> {
  const { glob } = query;
  const fits = glob === undefined ? () => true : picomatch(glob, { dot: true, basename: !glob.includes("/") });
  for await (const file of filesOf(workspace, start, query.signal)) {
    if (!fits(file.relative)) continue;
    const content = await readTextFile(workspace, { ...file, exists: true, protection: null }).catch(() => undefined);
    if (content === undefined) continue;
    for (const [index, line] of content.text.split("\n").entries()) {
      if (regex.test(line) && !query.onMatch(toMatch(file.relative, index + 1, line))) return;
    }
  }
}

async function* filesOf(workspace: Workspace, start: WorkspacePath, signal: AbortSignal) {
  const handle = await workspace.openFile(start).catch(() => undefined);
  if (handle === undefined) {
    yield* walkFiles(workspace, start, signal);
  } else {
    await handle.close();
    yield { absolute: start.absolute, relative: start.relative };
  }
}
