import type { SkeinEvent, TaskId } from "@skein/contracts";
import type { Services } from "../../services/services.ts";
import { replayPage } from "./replay-page.ts";

export interface MissedEvents {
  /** Tasks whose conversation changed. */
  taskIds: TaskId[];
  /** What the board shows of projects and tasks, the newest of each. No conversation holds these. */
  board: SkeinEvent[];
}

/** What happened in a gap that is too large to replay event by event. */
export async function findMissed(
  services: Pick<Services, "events">,
  query: { after: number; upTo: number; taskId: TaskId | undefined; isOpen: () => boolean },
): Promise<MissedEvents> {
  const taskIds = new Set<TaskId>(query.taskId === undefined ? [] : [query.taskId]);
  const board = new Map<string, SkeinEvent>();
  let after = query.after;
  while (after < query.upTo && query.isOpen()) {
    const page = await replayPage(services, { after, taskId: query.taskId });
    for (const { event } of page) {
      if (isBoardEvent(event)) {
        const key = `${event.type} ${"taskId" in event ? event.taskId : event.projectId}`;
        // the newest goes last, as it happened
        board.delete(key);
        board.set(key, event);
      } else taskIds.add(event.taskId);
      if (event.type === "task:deleted") taskIds.delete(event.taskId);
    }
    after = page.at(-1)?.seq ?? query.upTo;
  }
  return { taskIds: [...taskIds], board: [...board.values()] };
}

type BoardEvent = Extract<
  SkeinEvent,
  { type: `project:${string}` | "task:created" | "task:updated" | "task:deleted" | "task:status-changed" }
>;

function isBoardEvent(event: SkeinEvent): event is BoardEvent {
  switch (event.type) {
    case "project:created":
    case "project:updated":
    case "project:deleted":
    case "task:created":
    case "task:updated":
    case "task:deleted":
    case "task:status-changed":
      return true;
    default:
      return false;
  }
}
