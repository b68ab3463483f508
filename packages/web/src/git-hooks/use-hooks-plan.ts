import type { AttemptId, ProjectId, TaskId } from "@skein/contracts";
import type { HookedOperation } from "@skein/engine";
import { useQuery } from "@tanstack/react-query";
import { taskQuery } from "../api/queries.ts";
import { gitHooksQuery } from "../api/trust-api.ts";
import { type HooksPlan, toHooksPlan } from "./to-hooks-plan.ts";

export interface HookedAttempt {
  attemptId: AttemptId;
  taskId: TaskId;
}

/** What the next commit or push of an attempt will do about hooks; `none` until it is known. */
export function useHooksPlan({ attemptId, taskId }: HookedAttempt, operation: HookedOperation, { enabled = true } = {}): HooksPlan {
  const { data: task } = useQuery(taskQuery(taskId));
  const query = gitHooksQuery(task?.projectId ?? ("" as ProjectId), attemptId);
  const { data: hooks } = useQuery({ ...query, enabled: enabled && task !== undefined });
  return hooks ? toHooksPlan(hooks, operation) : { kind: "none" };
}
