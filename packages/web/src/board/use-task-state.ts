import type { AttemptId, Task, ToolSummary } from "@skein/contracts";
import { useQuery } from "@tanstack/react-query";
import { approvalsQuery } from "../api/queries.ts";
import type { KnownTask } from "../live/task-activity.ts";
import { fromStored } from "../tools/tool-summary.ts";

export interface TaskState {
  state: "idle" | "running" | "waiting" | "failed";
  agent: string | null;
  /** What the tool that started last does. */
  tool: ToolSummary | null;
  queued: number;
  queuePaused: boolean;
  costUsd: number | null;
  /** The attempt whose changes are worth a look: it has worked, and is not at work. */
  reviewable: AttemptId | null;
}

/** A task that waits for its person is waiting, whatever else runs in it. */
export function toTaskState({ activity, status }: KnownTask, { hasApproval }: { hasApproval: boolean }): TaskState {
  const waiting = hasApproval || (activity?.pendingApprovals ?? 0) > 0;
  const isOpen = status !== "done" && status !== "cancelled";
  const failed = isOpen && activity?.lastEnd?.status === "failed";
  const summary = activity?.runningToolSummary;
  return {
    state: waiting ? "waiting" : activity?.executing ? "running" : failed ? "failed" : "idle",
    agent: activity?.agent ?? null,
    tool: activity?.executing && summary !== undefined ? fromStored(summary, "running") : null,
    queued: activity?.queued ?? 0,
    queuePaused: activity?.queuePaused ?? false,
    costUsd: activity?.totals.usage.costUsd ?? null,
    reviewable: status === "in-review" && activity?.executing === false && activity.lastEnd !== null ? activity.attemptId : null,
  };
}

export function useTaskState(task: Task): TaskState {
  const { data: hasApproval = false } = useQuery({
    ...approvalsQuery,
    select: (approvals) => approvals.some((approval) => approval.taskId === task.id),
  });
  return toTaskState(task, { hasApproval });
}
