import { posix } from "node:path";
import { readTextFile } from "../workspace/read-text-file.ts";
import { type WalkedFile, walkFiles } from "../workspace/walk-files.ts";
import type { Workspace, WorkspacePath } from "../workspace/workspace.ts";
import { LineMatcher } from "./line-matcher.ts";
import { type SearchQuery, toMatch } from "./search-match.ts";

/** Number of files that are read concurrently. */
const readAtOnce = 16;
/** Batch size for matching: number of files, or of characters. */
const batchFiles = 128;
const batchLength = 1024 * 1024;

interface ReadFile {
  relative: string;
  text: string;
}

/**
 * Used if ripgrep is not installed, and for single files. Skips binary and too large files. Resolves with an error message if the pattern
 * is invalid. While one batch of files is matched in a thread, the next one is read.
 */
export async function searchByWalking(
  workspace: Workspace,
  start: WorkspacePath & { isFolder: boolean },
  query: SearchQuery,
): Promise<string | undefined> {
  const matcher = createMatcher(query.pattern);
  if (typeof matcher === "string") return matcher;
  const batches = readBatches(workspace, start.isFolder ? walkFitting(workspace, start, query) : [start], query.signal);
  try {
    for (let next = batches.next(); ; ) {
      const { value: batch } = await next;
      if (batch === undefined) return undefined;
      next = batches.next();
      // a failed read during this batch is reported by the next round, or not at all
      next.catch(() => {});
      const found = await matcher.find(
        batch.map(({ text }) => text),
        query.signal,
      );
      if ("tooSlow" in found) {
        return `The search was given up: the pattern takes too long on ${batch[found.tooSlow]?.relative}. Use a simpler one, without repetitions inside of repetitions.`;
      }
      if (!reportMatches(batch, found.lines, query)) return undefined;
    }
  } finally {
    await Promise.all([matcher.close(), batches.return(undefined)]);
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

/** Loads its library on first use, not at every start of the agent. */
async function createGlobMatcher(glob: string): Promise<(path: string) => boolean> {
  const { default: picomatch } = await import("picomatch");
  return picomatch(glob, { dot: true, basename: !glob.includes("/") });
}

/** The texts of the files, in their order. */
async function* readBatches(
  workspace: Workspace,
  files: AsyncIterable<WalkedFile> | Iterable<WalkedFile>,
  signal: AbortSignal,
): AsyncGenerator<ReadFile[], undefined> {
  let batch: ReadFile[] = [];
  let length = 0;
  for await (const group of toGroups(files)) {
    signal.throwIfAborted();
    for (const file of await Promise.all(group.map((file) => readFile(workspace, file)))) {
      if (file === undefined) continue;
      batch.push(file);
      length += file.text.length;
    }
    if (batch.length < batchFiles && length < batchLength) continue;
    yield batch;
    batch = [];
    length = 0;
  }
  if (batch.length > 0) yield batch;
  return undefined;
}

async function* toGroups(files: AsyncIterable<WalkedFile> | Iterable<WalkedFile>): AsyncGenerator<WalkedFile[]> {
  let group: WalkedFile[] = [];
  for await (const file of files) {
    group.push(file);
    if (group.length < readAtOnce) continue;
    yield group;
    group = [];
  }
  yield group;
}

async function readFile(workspace: Workspace, file: WalkedFile): Promise<ReadFile | undefined> {
  const content = await readTextFile(workspace, { ...file, exists: true, protection: null }).catch(() => undefined);
  return content && { relative: file.relative, text: content.text };
}

/** False if enough has been found. */
function reportMatches(batch: readonly ReadFile[], found: readonly number[][], query: SearchQuery): boolean {
  for (const [index, { relative, text }] of batch.entries()) {
    const numbers = found[index] ?? [];
    if (numbers.length === 0) continue;
    const lines = text.split("\n");
    for (const number of numbers) if (!query.onMatch(toMatch(relative, number + 1, lines[number] ?? ""))) return false;
  }
  return true;
}
