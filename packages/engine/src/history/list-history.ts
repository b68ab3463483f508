import type { Attempt, Compression, StoredMessage } from "@skein/contracts";
import { countRanges, type HistoryRange, type HistoryReader, listInheritedRanges, sliceRanges } from "./history-ranges.ts";
import { readSlices } from "./read-slices.ts";

/** Yields to other work between two slices, such as `setImmediate` of `node:timers/promises`. */
type Pause = () => Promise<unknown>;

/** The messages of an attempt and of those that it continues, oldest first, in slices that are read on demand. */
export async function* streamHistory(reader: HistoryReader, attempt: Attempt, pause: Pause): AsyncGenerator<StoredMessage[], void> {
  const own = { attemptId: attempt.id, offset: 0, count: Number.POSITIVE_INFINITY };
  yield* readRanges(reader, [...(await listInheritedRanges(reader, attempt)), own], pause);
}

/**
 * The same without its middle, if it is longer than `first` and `last` together. Messages that a summary covers are left out, except for
 * the one at its position. Without a summary the cost is independent of the length.
 */
export async function listHistoryEnds(
  reader: HistoryReader,
  attempt: Attempt,
  { first, last, compression, pause }: { first: number; last: number; compression: Compression; pause: Pause },
): Promise<StoredMessage[]> {
  if (compression.summary !== null) {
    const { messageIds, startMessageId } = compression.summary;
    const compressed = new Set<string | number>(messageIds);
    compressed.delete(startMessageId);
    return takeEnds(streamHistory(reader, attempt, pause), { first, last, isWanted: ({ id }) => !compressed.has(id) });
  }
  const counts = await reader.countMessages({ attemptId: attempt.id });
  const own = { attemptId: attempt.id, offset: 0, count: counts.reduce((sum, { count }) => sum + count, 0) };
  const ranges = [...(await listInheritedRanges(reader, attempt)), own];
  const total = countRanges(ranges);
  const parts = total <= first + last ? ranges : [...sliceRanges(ranges, 0, first), ...sliceRanges(ranges, total - last, total)];
  return takeEnds(readRanges(reader, parts, pause), { first, last, isWanted: () => true });
}

async function takeEnds(
  slices: AsyncIterable<StoredMessage[]>,
  { first, last, isWanted }: { first: number; last: number; isWanted: (message: StoredMessage) => boolean },
): Promise<StoredMessage[]> {
  const start: StoredMessage[] = [];
  let end: StoredMessage[] = [];
  for await (const slice of slices) {
    const wanted = slice.filter(isWanted);
    start.push(...wanted.splice(0, first - start.length));
    end = [...end, ...wanted];
    end.splice(0, end.length - last);
  }
  return [...start, ...end];
}

async function* readRanges(reader: HistoryReader, ranges: readonly HistoryRange[], pause: Pause): AsyncGenerator<StoredMessage[], void> {
  for (const { attemptId, offset, count } of ranges) {
    const [before] = offset === 0 ? [] : await reader.listMessages({ attemptId, offset: offset - 1, limit: 1 });
    yield* readSlices({ next: (query) => reader.listNextMessages({ attemptId, ...query }), after: before?.id, limit: count, pause });
  }
}
