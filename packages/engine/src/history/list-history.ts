import type { Attempt, StoredMessage } from "@skein/contracts";
import type { StorageReader } from "../ports/storage.ts";

/**
 * What was said in an attempt and in those that it goes on from, oldest first. Of those only what was there when the next one
 * was made, so that it never changes: executions that had ended, and of one that ran what the person had asked.
 */
export async function listHistory(
  reader: Pick<StorageReader, "findAttempt" | "listExecutions" | "listMessages">,
  attempt: Attempt,
): Promise<StoredMessage[]> {
  const own = await reader.listMessages({ attemptId: attempt.id });
  const source = attempt.continuedFrom === null ? undefined : await reader.findAttempt({ id: attempt.continuedFrom });
  if (source === undefined) return own;
  const executions = await reader.listExecutions({ attemptId: source.id });
  const unfinished = new Set(executions.flatMap((one) => (one.status === "running" || one.endedAt > attempt.createdAt ? [one.id] : [])));
  const before = await listHistory(reader, source);
  return [
    ...before.filter(
      ({ executionId, body, createdAt }) => !unfinished.has(executionId) || (body.role === "user" && createdAt <= attempt.createdAt),
    ),
    ...own,
  ];
}
