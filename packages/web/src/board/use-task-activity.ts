import type { AttemptId, Task } from "@skein/contracts";
import { useQuery } from "@tanstack/react-query";
import { approvalsQuery, attemptsQuery, runningQuery } from "../api/queries.ts";

export interface TaskActivity {
  state: "idle" | "running" | "waiting";
  agent: string | null;
}

/** Only a task in progress can run, and only open tasks tell their agent: a board of hundreds of finished tasks asks nothing. */
export function useTaskActivity(task: Task, { withAgent = false } = {}): TaskActivity {
  const isOpen = task.status !== "done" && task.status !== "cancelled";
  const { data: approvals } = useQuery(approvalsQuery);
  const { data: running } = useQuery({ ...runningQuery(task.id), enabled: task.activeAttemptId !== null && task.status === "in-progress" });
  const { data: attempts } = useQuery({ ...attemptsQuery(task.id), enabled: withAgent && isOpen && task.activeAttemptId !== null });
  const waiting = approvals?.some((approval) => approval.taskId === task.id) ?? false;
  return { state: waiting ? "waiting" : running ? "running" : "idle", agent: agentOf(attempts, task.activeAttemptId) };
}

function agentOf(attempts: readonly { id: AttemptId; agent: string }[] | undefined, id: AttemptId | null): string | null {
  return attempts?.find((attempt) => attempt.id === id)?.agent ?? null;
}
