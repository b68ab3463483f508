import type { AttemptId, ExecutionId, PullRequestBadge, Task, ToolSummary } from "@skein/contracts";
import { waitingSince } from "@skein/engine";
import { useQuery } from "@tanstack/react-query";
import { approvalsQuery } from "../api/queries.ts";
import type { KnownTask } from "../api/task-activity.ts";
import { chooseBadge } from "../pull-request/choose-badge.ts";
import { fromStored } from "../tools/tool-summary.ts";
import { type CardChecks, toCardChecks } from "./check-badge.ts";

export interface TaskState {
  /** `held`: the agent has not been started yet, because of a limit; `parked`: its provider accepts no more requests. */
  state: "idle" | "running" | "held" | "parked" | "waiting" | "failed" | "interrupted" | "paused" | "finished";
  /** Since when it is so; of an idle task, when it was created. Null where that is not known. */
  since: number | null;
  agent: string | null;
  attempts: number;
  /** What the tool that started last does, or would do if it were allowed. */
  tool: ToolSummary | null;
  /** Of a parked task: when it is, or can be, resumed. */
  resumesAt?: number;
  queued: number;
  queuePaused: boolean;
  costUsd: number | null;
  pullRequest: PullRequestBadge | null;
  checks: CardChecks | null;
  /** What runs, or waits to be started. */
  executions: readonly ExecutionId[];
  /** The attempt whose changes are worth a look: it has worked, and is not at work. */
  reviewable: AttemptId | null;
}

const endStates = { failed: "failed", interrupted: "interrupted", success: "finished", cancelled: "idle" } as const;

/** A task that waits for its user is waiting, whatever else runs in it. `askedAt`: the oldest question; undefined where there is none. */
export function toTaskState({ activity, status, createdAt }: KnownTask, { askedAt }: { askedAt?: number | undefined }): TaskState {
  const waits = activity?.open?.flatMap(({ wait }) => wait ?? []) ?? [];
  const budgetAsked = waits.find((wait) => wait.for === "budget");
  const parked = waits.find((wait) => wait.for === "provider");
  const isWaiting = askedAt !== undefined || (activity?.pendingApprovals ?? 0) > 0 || budgetAsked !== undefined;
  const isOpen = status !== "done" && status !== "cancelled";
  const ended = (isOpen && activity?.lastEnd) || null;
  const isPaused = ended?.status === "cancelled" && activity?.queuePaused === true && activity.queued > 0;
  const endState = ended === null ? "idle" : isPaused ? "paused" : endStates[ended.status];
  // what was finished and then given back is idle: it is not for review any more
  const isOver = endState === "finished" && status !== "in-review";
  const heldSince = activity?.open && waitingSince(activity);
  const executing = heldSince !== undefined ? (parked === undefined ? "held" : "parked") : activity?.executing ? "running" : null;
  const state = isWaiting ? "waiting" : (executing ?? (isOver ? "idle" : endState));
  const startedAt = activity?.open?.flatMap((open) => open.startedAt ?? []).sort((a, b) => a - b)[0];
  const since = {
    waiting: askedAt ?? budgetAsked?.since,
    parked: parked?.since,
    running: startedAt,
    held: heldSince,
    idle: createdAt,
  };
  const summary = activity?.runningToolSummary;
  return {
    state,
    since: (state in since ? since[state as keyof typeof since] : ended?.endedAt) ?? null,
    agent: activity?.agent ?? null,
    attempts: activity?.attempts ?? 0,
    ...(parked?.for === "provider" ? { resumesAt: parked.resumesAt } : {}),
    tool: activity?.executing && summary !== undefined ? fromStored(summary, "running") : null,
    queued: activity?.queued ?? 0,
    queuePaused: activity?.queuePaused ?? false,
    costUsd: activity?.totals.usage.costUsd ?? null,
    pullRequest: chooseBadge(activity) ?? null,
    checks: (activity && toCardChecks(activity)) ?? null,
    executions: activity?.open?.flatMap(({ executionId }) => executionId ?? []) ?? [],
    reviewable: status === "in-review" && activity?.executing === false && activity.lastEnd !== null ? activity.attemptId : null,
  };
}

export function useTaskState(task: Task): TaskState {
  const { data: askedAt } = useQuery({
    ...approvalsQuery,
    select: (approvals) =>
      approvals.reduce<number | undefined>(
        (oldest, { taskId, requestedAt }) => (taskId === task.id ? Math.min(oldest ?? requestedAt, requestedAt) : oldest),
        undefined,
      ),
  });
  return toTaskState(task, { askedAt });
}
