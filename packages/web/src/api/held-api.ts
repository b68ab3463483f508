import type { Budget, BudgetDecision, ExecutionId, Fallback, TaskId } from "@skein/contracts";
import { queryOptions } from "@tanstack/react-query";
import { request } from "./request.ts";

/** Executions whose budget is used up, and those that are parked. */
export const heldQuery = queryOptions({
  queryKey: ["held-executions"],
  queryFn: ({ signal }) => request("/api/held-executions", { answer: "waitingExecutions", signal }),
});

/** The budgets that apply to a task, and what was used of them. */
export const taskBudgetsQuery = (id: TaskId) =>
  queryOptions({
    queryKey: ["task-budgets", id],
    queryFn: ({ signal }) => request(`/api/tasks/${id}/budget`, { answer: "taskBudgets", signal }),
    // no event reports each step of what agents use
    refetchInterval: 5000,
  });

export const heldApi = {
  /** Null: the budget of the project or of all projects applies. */
  setTaskBudget: (id: TaskId, budget: Budget | null) =>
    request(`/api/tasks/${id}/budget`, { method: "PUT", answer: "taskBudgets", body: { budget } }),
  answer: (id: ExecutionId, body: { decision: BudgetDecision; since: number }) =>
    request(`/api/executions/${id}/budget-answer`, { method: "POST", body }),
  resume: (id: ExecutionId) => request(`/api/executions/${id}/resume`, { method: "POST" }),
  setAutomatic: (id: ExecutionId, isAutomatic: boolean) =>
    request(`/api/executions/${id}/parked`, { method: "PATCH", body: { isAutomatic } }),
  continueWith: (id: ExecutionId, fallback: Fallback) => request(`/api/executions/${id}/continue-with`, { method: "POST", body: fallback }),
};
