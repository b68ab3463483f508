import type { StartClean } from "@skein/contracts";
import { queryOptions } from "@tanstack/react-query";
import { request } from "./request.ts";

/** Git and the sizes of folders are read for it: only when the user wants to see it. */
export const cleanPlanQuery = (olderThanDays: number) =>
  queryOptions({
    queryKey: ["clean-plan", olderThanDays],
    queryFn: ({ signal }) => request(`/api/clean?olderThanDays=${olderThanDays}`, { answer: "cleanPlan", signal }),
    enabled: false,
    gcTime: 0,
    retry: false,
  });

const progressMs = 1000;

/** The clean-up in progress, or the last one. */
export const cleanRunQuery = queryOptions({
  queryKey: ["clean-run"],
  queryFn: ({ signal }) => request("/api/clean/run", { answer: "lastClean", signal }),
  refetchOnMount: "always",
  refetchInterval: ({ state: { data } }) => (data?.run?.endedAt === null ? progressMs : false),
});

export const startClean = (body: StartClean) => request("/api/clean", { answer: "cleanRun", method: "POST", body });

/** Measures every folder: only when the user wants to see it. */
export const attemptUseQuery = queryOptions({
  queryKey: ["attempt-use"],
  queryFn: ({ signal }) => request("/api/storage/attempts", { answer: "attemptUse", signal }),
  enabled: false,
  gcTime: 0,
  retry: false,
});
