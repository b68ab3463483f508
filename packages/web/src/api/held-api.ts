import type { BudgetDecision, ExecutionId, Fallback } from "@skein/contracts";
import { queryOptions } from "@tanstack/react-query";
import { request } from "./request.ts";

/** Executions whose budget is used up, and those that are parked. */
export const heldQuery = queryOptions({
  queryKey: ["held-executions"],
  queryFn: ({ signal }) => request("/api/held-executions", { answer: "waitingExecutions", signal }),
});

export const heldApi = {
  answer: (id: ExecutionId, body: { decision: BudgetDecision; since: number }) =>
    request(`/api/executions/${id}/budget-answer`, { method: "POST", body }),
  resume: (id: ExecutionId) => request(`/api/executions/${id}/resume`, { method: "POST" }),
  setAutomatic: (id: ExecutionId, isAutomatic: boolean) =>
    request(`/api/executions/${id}/parked`, { method: "PATCH", body: { isAutomatic } }),
  continueWith: (id: ExecutionId, fallback: Fallback) => request(`/api/executions/${id}/continue-with`, { method: "POST", body: fallback }),
};
