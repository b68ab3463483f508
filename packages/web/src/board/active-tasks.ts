import type { TaskId } from "@skein/contracts";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { approvalsQuery, byPosition } from "../api/queries.ts";
import type { KnownTask } from "../api/task-activity.ts";
import { toTaskState } from "./use-task-state.ts";

/** When the oldest open question of each task was asked. */
export type AskedAt = ReadonlyMap<TaskId, number>;

export function useAskedAt(): AskedAt {
  const { data: approvals } = useQuery(approvalsQuery);
  return useMemo(() => {
    const asked = new Map<TaskId, number>();
    for (const { taskId, requestedAt } of approvals ?? []) asked.set(taskId, Math.min(asked.get(taskId) ?? requestedAt, requestedAt));
    return asked;
  }, [approvals]);
}

/** Tasks that wait for the user, those that run, then those that wait to start; in each group the longest first, so that nothing moves when a tool changes. */
export function listActiveTasks(tasks: readonly KnownTask[], asked: AskedAt): KnownTask[] {
  const ranks: Partial<Record<string, number>> = { waiting: 0, running: 1, held: 2 };
  return tasks
    .flatMap((task) => {
      const { state, since } = toTaskState(task, { askedAt: asked.get(task.id) });
      const rank = ranks[state];
      return rank === undefined ? [] : [{ task, rank, since: since ?? 0 }];
    })
    .sort((a, b) => a.rank - b.rank || a.since - b.since || byPosition(a.task, b.task))
    .map(({ task }) => task);
}
