import type { Attempt, StoredMessage } from "@skein/contracts";
import { type HistoryReader, listInheritedRanges } from "./history-ranges.ts";

/** Messages that are read at once: reading blocks the thread, so `pause` is awaited after so many. */
const batchSize = 400;

/**
 * What was said in an attempt and in those that it continues, oldest first. `pause` lets other work run in between, such as
 * `setImmediate` of `node:timers/promises`.
 */
export async function listHistory(reader: HistoryReader, attempt: Attempt, pause?: () => Promise<void>): Promise<StoredMessage[]> {
  const messages: StoredMessage[] = [];
  const own = { attemptId: attempt.id, offset: 0, count: Number.POSITIVE_INFINITY };
  for (const { attemptId, offset, count } of [...(await listInheritedRanges(reader, attempt)), own]) {
    for (let read = 0; read < count; ) {
      const limit = Math.min(batchSize, count - read);
      const batch = await reader.listMessages({ attemptId, offset: offset + read, limit });
      for (const message of batch) messages.push(message);
      read += batch.length;
      if (batch.length < limit) break;
      await pause?.();
    }
  }
  return messages;
}
