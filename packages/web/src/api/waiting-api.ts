import type { ExecutionId } from "@skein/contracts";
import { queryOptions } from "@tanstack/react-query";
import { request } from "./request.ts";

/** Executions that wait because of a limit, in the order in which they will start. */
export const waitingQuery = queryOptions({
  queryKey: ["waiting-executions"],
  queryFn: ({ signal }) => request("/api/waiting-executions", { answer: "waitingExecutions", signal }),
});

export const waitingApi = {
  startNow: (id: ExecutionId) => request(`/api/executions/${id}/start-now`, { method: "POST" }),
  move: (id: ExecutionId, before: ExecutionId | null) =>
    request(`/api/executions/${id}/move`, { answer: "waitingExecutions", method: "POST", body: { before } }),
};
