import { realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, join } from "node:path";
import type { Attempt, AttemptId, Compression, StoredMessage } from "@skein/contracts";
import { createPathMover, moveMessagePaths, type StorageReader } from "@skein/engine";

/** Rewrites folder paths in messages that an attempt inherits from those it continues, to its own (E11). */
export interface InheritedPaths {
  /** The attempt's own messages are not changed. */
  move(message: StoredMessage): StoredMessage;
  moveCompression(compression: Compression): Compression;
}

const unchanged: InheritedPaths = { move: (message) => message, moveCompression: (compression) => compression };

/**
 * An agent reuses paths that it reads: with the paths of an earlier attempt it would work in that one's folder. `dataDir` contains the
 * folders of other attempts, and may be inside a project: paths in it are never rewritten as part of the project.
 */
export async function openInheritedPaths(
  reader: Pick<StorageReader, "findAttempt">,
  attempt: Attempt,
  { dataDir }: { dataDir: string },
): Promise<InheritedPaths> {
  const folders = await listEarlierFolders(reader, attempt);
  if (folders.length === 0) return unchanged;
  const named = await Promise.all(folders.map(listNames));
  const mover = createPathMover({
    from: named.flat(),
    to: attempt.directory,
    keep: [...(await listNames(attempt.directory)), ...(await listNames(dataDir))],
    home: homedir(),
  });
  return {
    move: (message) => (message.attemptId === attempt.id ? message : { ...message, body: moveMessagePaths(message.body, mover) }),
    moveCompression({ summary, pruning }) {
      return { summary: summary && { ...summary, summary: mover.moveText(summary.summary) }, pruning };
    },
  };
}

async function listEarlierFolders(reader: Pick<StorageReader, "findAttempt">, attempt: Attempt): Promise<string[]> {
  const folders = new Set<string>();
  const seen = new Set<AttemptId>([attempt.id]);
  for (let id = attempt.continuedFrom; id !== null && !seen.has(id); ) {
    seen.add(id);
    const source = await reader.findAttempt({ id });
    if (source === undefined) break;
    folders.add(source.directory);
    id = source.continuedFrom;
  }
  folders.delete(attempt.directory);
  return [...folders];
}

/** The stored path, and its real path, which many tools print. */
async function listNames(folder: string): Promise<string[]> {
  return [...new Set([folder, await toRealPath(folder)])];
}

/** For a missing folder, resolves the part that exists. */
export async function toRealPath(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(await toRealPath(parent), basename(path));
  }
}
