import type { AttemptId, ExecutionEndStatus, TaskId } from "@skein/contracts";

/** Where an entry is opened: finished work and feedback with the changes, a race with its attempts side by side, everything else in the conversation. */
export function toTaskPlace(entry: {
  taskId: TaskId;
  attemptId: AttemptId;
  kind?: string;
  execution?: { status: ExecutionEndStatus };
  race?: unknown;
}) {
  // its attempts are compared
  if (entry.race !== undefined) return { to: "/t/$taskId/compare", params: { taskId: entry.taskId }, search: {} } as const;
  const hasChanges = entry.kind === "feedback" || entry.execution?.status === "success";
  return {
    to: "/t/$taskId",
    params: { taskId: entry.taskId },
    search: { attempt: entry.attemptId, ...(hasChanges ? { view: "changes" as const } : {}) },
  } as const;
}
