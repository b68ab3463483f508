import type { Attempt, StoredMessage } from "@skein/contracts";
import { countRanges, type HistoryRange, type HistoryReader, listInheritedRanges, sliceRanges } from "./history-ranges.ts";

/** Messages that are read at once: reading blocks the thread, so `pause` is awaited after so many. */
const batchSize = 400;

/**
 * What was said in an attempt and in those that it continues, oldest first. `pause` lets other work run in between, such as
 * `setImmediate` of `node:timers/promises`.
 */
export async function listHistory(reader: HistoryReader, attempt: Attempt, pause?: () => Promise<void>): Promise<StoredMessage[]> {
  const own = { attemptId: attempt.id, offset: 0, count: Number.POSITIVE_INFINITY };
  return readRanges(reader, [...(await listInheritedRanges(reader, attempt)), own], pause);
}

/** The same without its middle, where it is longer than `first` and `last` together: it costs the same at any length. */
export async function listHistoryEnds(
  reader: HistoryReader,
  attempt: Attempt,
  { first, last, pause }: { first: number; last: number; pause?: () => Promise<void> },
): Promise<StoredMessage[]> {
  const counts = await reader.countMessages({ attemptId: attempt.id });
  const own = { attemptId: attempt.id, offset: 0, count: counts.reduce((sum, { count }) => sum + count, 0) };
  const ranges = [...(await listInheritedRanges(reader, attempt)), own];
  const total = countRanges(ranges);
  const parts = total <= first + last ? ranges : [...sliceRanges(ranges, 0, first), ...sliceRanges(ranges, total - last, total)];
  return readRanges(reader, parts, pause);
}

async function readRanges(reader: HistoryReader, ranges: readonly HistoryRange[], pause?: () => Promise<void>): Promise<StoredMessage[]> {
  const messages: StoredMessage[] = [];
  for (const { attemptId, offset, count } of ranges) {
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
