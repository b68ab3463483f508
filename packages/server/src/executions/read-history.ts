import { setImmediate } from "node:timers/promises";
import type { Attempt, Compression, StoredMessage } from "@skein/contracts";
import { type AgentAdapter, listHistory, listHistoryEnds, type StorageReader } from "@skein/engine";

/** More than a transcript has room for, which has the beginning and the end of a conversation. */
const ofTranscript = { first: 500, last: 1500 };

/**
 * What an agent is given of what was said before: all of it where requests are built from it, and what a transcript can show where
 * the agent has a session of its own.
 */
export async function readHistory(
  reader: StorageReader,
  attempt: Attempt,
  { adapter, compression }: { adapter: Pick<AgentAdapter, "toTranscript"> | undefined; compression: Compression },
): Promise<StoredMessage[]> {
  // a summary stands for everything up to a message that may be anywhere
  if (adapter?.toTranscript === undefined || compression.summary !== null) return listHistory(reader, attempt, setImmediate);
  return listHistoryEnds(reader, attempt, { ...ofTranscript, pause: setImmediate });
}
