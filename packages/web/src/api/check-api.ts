import type { AttemptId, CheckRun } from "@skein/contracts";
import { queryOptions } from "@tanstack/react-query";
import { request } from "./request.ts";

/** The project's check script, run for an attempt. */
export const checkApi = {
  run: (id: AttemptId) => request(`/api/attempts/${id}/check`, { answer: "attemptCheck", method: "POST" }),
  stop: (id: AttemptId) => request(`/api/attempts/${id}/check/stop`, { answer: "attemptCheck", method: "POST" }),
};

/** Whether the check is outdated is read from the files: asked for again with each state, and whenever it is shown. */
export const checkQuery = (id: AttemptId, check: CheckRun | undefined) =>
  queryOptions({
    queryKey: ["worktree", id, "check", check?.id ?? null, check?.state ?? null],
    queryFn: ({ signal }) => request(`/api/attempts/${id}/check`, { answer: "attemptCheck", signal }),
    refetchOnMount: "always",
  });
