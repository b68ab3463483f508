import type { TaskId } from "@skein/contracts";
import { type SetTimer, setBrowserTimer } from "../live/paced-batch.ts";
import type { ConversationSession } from "./conversation-session.ts";

const keptMs = 10_000;
const maxKept = 3;

export interface PreopenedSessions {
  /** Opens the conversation of the task's active attempt ahead of its page. It is closed again if the page does not follow. */
  preopen(taskId: TaskId): void;
  /** What `take` would return. */
  peek(taskId: TaskId): ConversationSession | undefined;
  /** Hands the session over: from now on, the caller closes it. */
  take(taskId: TaskId): ConversationSession | undefined;
}

/** A session is current from the moment it is open, so that one that was opened on hover shows what has happened since. */
export function createPreopenedSessions(
  open: (taskId: TaskId) => ConversationSession,
  { setTimer = setBrowserTimer }: { setTimer?: SetTimer } = {},
): PreopenedSessions {
  const kept = new Map<TaskId, { session: ConversationSession; cancelTimer: () => void }>();
  const take = (taskId: TaskId): ConversationSession | undefined => {
    const found = kept.get(taskId);
    kept.delete(taskId);
    found?.cancelTimer();
    return found?.session;
  };
  return {
    preopen(taskId) {
      if (kept.has(taskId)) return;
      kept.set(taskId, { session: open(taskId), cancelTimer: setTimer(() => take(taskId)?.close(), keptMs) });
      const [oldest] = kept.keys();
      if (oldest !== undefined && kept.size > maxKept) take(oldest)?.close();
    },
    peek: (taskId) => kept.get(taskId)?.session,
    take,
  };
}
