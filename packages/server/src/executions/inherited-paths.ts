import type { Attempt, AttemptId, Compression, StoredMessage } from "@skein/contracts";
import { createPathMover, moveMessagePaths, type StorageReader } from "@skein/engine";
import type { HostedContext } from "./execution-context.ts";

/** Rewrites folder paths in messages that an attempt inherits from those it continues, to its own (E11). */
export interface InheritedPaths {
  /** The attempt's own messages are not changed. */
  move(message: StoredMessage): StoredMessage;
  moveCompression(compression: Compression): Compression;
}

const unchanged: InheritedPaths = { move: (message) => message, moveCompression: (compression) => compression };

/**
 * An agent reuses paths that it reads: with the paths of an earlier attempt it would work in that one's folder. The data dir contains
 * the folders of other attempts, and may be inside a project: paths in it are never rewritten as part of the project.
 */
export async function openInheritedPaths(
  { storage, host }: Pick<HostedContext, "storage" | "host">,
  attempt: Attempt,
): Promise<InheritedPaths> {
  const folders = await listEarlierFolders(storage.read, attempt);
  if (folders.length === 0) return unchanged;
  const { directories, dataDir, userHome } = await host.workspaces.nameFolders({ directories: [attempt.directory, ...folders] });
  const [own = [], ...earlier] = directories;
  const mover = createPathMover({ from: earlier.flat(), to: attempt.directory, keep: [...own, ...dataDir], home: userHome });
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
