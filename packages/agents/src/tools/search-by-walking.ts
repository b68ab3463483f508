import { posix } from "node:path";
import { type WalkedFile, walkFiles } from "../workspace/walk-files.ts";
import type { Workspace, WorkspacePath } from "../workspace/workspace.ts";
import { LineMatcher } from "./line-matcher.ts";
import { readTextFile } from "./read-text-file.ts";
import { type SearchQuery, toMatch } from "./search-match.ts";

type FileEnd = "searched" | "enough" | "too-slow";

/**
 * Where ripgrep is not installed, and for single files. Files that are not text, or too large, are passed over. Resolves
 * with a complaint when the pattern cannot be used.
 */
export async function searchByWalking(
  workspace: Workspace,
  start: WorkspacePath & { isFolder: boolean },
  query: SearchQuery,
): Promise<string | undefined> {
  const matcher = createMatcher(query.pattern);
  if (typeof matcher === "string") return matcher;
  try {
    for await (const file of start.isFolder ? walkFitting(workspace, start, query) : [start]) {
      const end = await searchFile(workspace, file, matcher, query);
      if (end === "enough") return undefined;
      if (end === "too-slow") {
        return `The search was given up: the pattern takes too long on ${file.relative}. Use a simpler one, without repetitions inside of repetitions.`;
      }
    }
    return undefined;
  } finally {
    await matcher.close();
  }
}

function createMatcher(pattern: string): LineMatcher | string {
  try {
    return new LineMatcher(pattern);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return `The pattern is not a valid regular expression: ${error.message}`;
  }
}

async function* walkFitting(workspace: Workspace, folder: WorkspacePath, { glob, signal }: SearchQuery): AsyncGenerator<WalkedFile> {
  const fits = glob === undefined ? () => true : await createGlobMatcher(glob);
  for await (const file of walkFiles(workspace, folder, signal)) {
    if (fits(posix.relative(folder.relative, file.relative))) yield file;
  }
}

/** Loads its library when it is first needed, not at every start of the agent. */
async function createGlobMatcher(glob: string): Promise<(path: string) => boolean> {
  const { default: picomatch } = await import("picomatch");
  return picomatch(glob, { dot: true, basename: !glob.includes("/") });
}

async function searchFile(workspace: Workspace, file: WalkedFile, matcher: LineMatcher, query: SearchQuery): Promise<FileEnd> {
  const content = await readTextFile(workspace, { ...file, exists: true, protection: null }).catch(() => undefined);
  if (content === undefined) return "searched";
  const found = await matcher.find(content.text, query.signal);
  if (found === undefined) return "too-slow";
  if (found.length === 0) return "searched";
  const lines = content.text.split("\n");
  for (const index of found) if (!query.onMatch(toMatch(file.relative, index + 1, lines[index] ?? ""))) return "enough";
  return "searched";
}
