import { setImmediate } from "node:timers/promises";
import type { Attempt, Compression, ExecutionId, StoredMessage } from "@skein/contracts";
import { listHistoryEnds, streamHistory } from "@skein/engine";
import type { HostedContext } from "./execution-context.ts";
import { openInheritedPaths } from "./inherited-paths.ts";

/** More than fits in a transcript, which has the beginning and the end of a conversation. */
const ofTranscript = { first: 500, last: 1500 };

/** The history that an agent gets. Paths of the attempts that this one continues are rewritten to its own folder (E11). */
export interface History {
  compression: Compression;
  /** For an agent with its own session: the messages that a transcript can show. */
  listTranscribed(): Promise<StoredMessage[]>;
  /** All messages, in slices, yielding to other work in between. */
  readAll(): AsyncGenerator<StoredMessage[], void>;
}

export async function openHistory(context: Pick<HostedContext, "storage" | "host">, attempt: Attempt): Promise<History> {
  const reader = context.storage.read;
  const paths = await openInheritedPaths(context, attempt);
  const stored = await reader.getCompression({ attemptId: attempt.id });
  return {
    compression: paths.moveCompression(stored),
    async listTranscribed() {
      const messages = await listHistoryEnds(reader, attempt, { ...ofTranscript, compression: stored, pause: setImmediate });
      return messages.map(paths.move);
    },
    async *readAll() {
      for await (const slice of streamHistory(reader, attempt, setImmediate)) yield slice.map(paths.move);
    },
  };
}

/** The history as lines of JSON, slice by slice, for an agent that builds its own requests. Omits the execution `without`. */
export async function* toHistoryPieces({ history, without }: { history: History; without: ExecutionId }): AsyncGenerator<string, void> {
  for await (const slice of history.readAll()) {
    const lines = slice.flatMap((message) => (message.executionId === without ? [] : `${JSON.stringify(message)}\n`));
    if (lines.length > 0) yield lines.join("");
  }
}
