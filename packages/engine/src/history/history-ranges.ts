import type { Attempt, AttemptId, Execution, ExecutionId, ForkPoint } from "@skein/contracts";
import type { StorageReader } from "../ports/storage.ts";

/** Consecutive messages of an attempt, by position in `StorageReader.listMessages`. */
export interface HistoryRange {
  attemptId: AttemptId;
  offset: number;
  count: number;
}

/** The reads that a history needs. */
export type HistoryReader = Pick<StorageReader, "findAttempt" | "listExecutions" | "countMessages" | "listMessages" | "listNextMessages">;

/**
 * The ranges of messages that an attempt inherits from those that it continues, oldest first. Includes only what existed when the next
 * one was created, so that it never changes: ended executions, and the user's message of a running one. A fork has nothing of what came
 * after its point.
 */
export async function listInheritedRanges(reader: HistoryReader, attempt: Attempt): Promise<HistoryRange[]> {
  const source = attempt.continuedFrom === null ? undefined : await reader.findAttempt({ id: attempt.continuedFrom });
  if (source === undefined) return [];
  const executions = await reader.listExecutions({ attemptId: source.id });
  const unfinished = new Set(executions.flatMap((one) => (one.status === "running" || one.endedAt > attempt.createdAt ? [one.id] : [])));
  const left = new Set(listAfterFork(executions, attempt.forkedFrom));
  const ranges = await listInheritedRanges(reader, source);
  let offset = 0;
  for (const { executionId, count } of await reader.countMessages({ attemptId: source.id })) {
    if (left.has(executionId)) {
      // after the point of the fork
    } else if (unfinished.has(executionId)) {
      const messages = await reader.listMessages({ attemptId: source.id, offset, limit: count });
      messages.forEach(({ body, createdAt }, i) => {
        if (body.role === "user" && createdAt <= attempt.createdAt)
          addRange(ranges, { attemptId: source.id, offset: offset + i, count: 1 });
      });
    } else addRange(ranges, { attemptId: source.id, offset, count });
    offset += count;
  }
  return ranges;
}

/** The executions that came after a fork's point, oldest first; none without a point. */
export function listAfterFork(executions: readonly Pick<Execution, "id" | "number">[], point: ForkPoint | undefined): ExecutionId[] {
  const forked = point && executions.find(({ id }) => id === point.executionId);
  if (point === undefined || forked === undefined) return [];
  const first = forked.number + (point.at === "start" ? 0 : 1);
  return executions.flatMap(({ id, number }) => (number >= first ? [id] : []));
}

function addRange(ranges: HistoryRange[], range: HistoryRange): void {
  const last = ranges.at(-1);
  if (last?.attemptId === range.attemptId && last.offset + last.count === range.offset) last.count += range.count;
  else ranges.push(range);
}

/** The part from message `start` to before message `end`. */
export function sliceRanges(ranges: readonly HistoryRange[], start: number, end: number): HistoryRange[] {
  const part: HistoryRange[] = [];
  let before = 0;
  for (const { attemptId, offset, count } of ranges) {
    const from = Math.max(start - before, 0);
    const to = Math.min(end - before, count);
    if (to > from) part.push({ attemptId, offset: offset + from, count: to - from });
    before += count;
  }
  return part;
}

/** Total number of messages in the ranges. */
export function countRanges(ranges: readonly HistoryRange[]): number {
  return ranges.reduce((sum, { count }) => sum + count, 0);
}
