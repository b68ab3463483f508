import type { TaskStatus, TaskSummary } from "@skein/contracts";
import { waitingSince } from "@skein/engine";

const statuses: Record<TaskStatus, string> = {
  todo: "to do",
  "in-progress": "in progress",
  "in-review": "in review",
  done: "done",
  cancelled: "cancelled",
};

export interface TaskState {
  text: string;
  /** Since when, in epoch milliseconds. */
  since: number;
}

/** What a task is doing, or how its last execution ended, in the same words as the board. */
export function toTaskState({ status, updatedAt, activity }: TaskSummary): TaskState {
  const { open, lastEnd } = activity;
  const starts = open.flatMap(({ startedAt }) => startedAt ?? []);
  const startedAt = starts.length === 0 ? updatedAt : Math.min(...starts);
  const endedAt = lastEnd?.endedAt ?? updatedAt;
  if (activity.pendingApprovals > 0) return { text: "waiting for you", since: startedAt };
  const waits = open.flatMap(({ wait }) => wait ?? []);
  const asked = waits.find((wait) => wait.for === "budget");
  if (asked !== undefined) return { text: "waiting for you", since: asked.since };
  const parked = waits.find((wait) => wait.for === "provider");
  if (parked !== undefined) return { text: "parked", since: parked.since };
  const heldSince = waitingSince(activity);
  if (heldSince !== undefined) return { text: "waiting to start", since: heldSince };
  if (activity.executing) return { text: activity.queued > 0 ? `running, ${activity.queued} queued` : "running", since: startedAt };
  const isOpen = status !== "done" && status !== "cancelled";
  const paused = activity.queuePaused ? `, queue paused (${activity.queued})` : "";
  const ended = lastEnd !== null && lastEnd.status !== "success" ? toEnd(lastEnd.status) : undefined;
  if (isOpen && (ended !== undefined || paused !== "")) return { text: `${ended ?? statuses[status]}${paused}`, since: endedAt };
  return { text: statuses[status], since: Math.max(updatedAt, endedAt) };
}

function toEnd(status: "failed" | "cancelled" | "interrupted"): string {
  return status === "cancelled" ? "stopped" : status;
}
