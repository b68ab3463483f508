import { setImmediate as nextTurn } from "node:timers/promises";
import type { SkeinEvent, TaskId } from "@skein/contracts";
import type { StorageReader } from "@skein/engine";

/** Rows per read: other requests are served in between. */
const pageSize = 500;

/**
 * The replacement for a replay that would be too long: the newest event of each kind per project, deleted tasks, and each task with new
 * events. Its cost depends on the number of tasks and projects, not of events.
 */
export async function* listMissed(
  reader: Pick<StorageReader, "listChangedTasks" | "listProjectEventNumbers" | "findEvents">,
  { after }: { after: number },
): AsyncGenerator<SkeinEvent> {
  const newest = new Map<string, SkeinEvent>();
  const numbers = await reader.listProjectEventNumbers({ after });
  for (let at = 0; at < numbers.length; at += pageSize) {
    for (const { event } of await reader.findEvents({ numbers: numbers.slice(at, at + pageSize) })) {
      const key = `${event.type} ${"taskId" in event ? event.taskId : "projectId" in event ? event.projectId : ""}`;
      // the newest comes last, as it happened
      newest.delete(key);
      newest.set(key, event);
    }
    await nextTurn();
  }
  yield* newest.values();
  let behind: TaskId | undefined;
  do {
    const taskIds = await reader.listChangedTasks({ after, limit: pageSize, ...(behind === undefined ? {} : { behind }) });
    for (const taskId of taskIds) yield { type: "state:conversation-sync", taskId };
    behind = taskIds.length < pageSize ? undefined : taskIds.at(-1);
    await nextTurn();
  } while (behind !== undefined);
}
