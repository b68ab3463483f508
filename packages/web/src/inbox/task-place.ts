import type { AttemptId, ExecutionEndStatus, TaskId } from "@skein/contracts";

/** Where an entry is opened: finished work with its changes, everything else in the conversation. */
export function toTaskPlace(entry: { taskId: TaskId; attemptId: AttemptId; execution?: { status: ExecutionEndStatus } }) {
  const isFinished = entry.execution?.status === "success";
  return {
    to: "/t/$taskId",
    params: { taskId: entry.taskId },
    search: { attempt: entry.attemptId, ...(isFinished ? { view: "changes" as const } : {}) },
  } as const;
}
