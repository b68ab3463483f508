import type { AttemptId, HostId } from "@skein/contracts";
import { queryOptions } from "@tanstack/react-query";
import { request } from "./request.ts";

/** Other machines that run attempts. */
export const workersQuery = queryOptions({
  queryKey: ["workers"],
  queryFn: ({ signal }) => request("/api/workers", { answer: "workers", signal }),
  staleTime: 30_000,
  // they connect and disconnect without an event
  refetchInterval: ({ state: { data } }) => (data === undefined || data.length === 0 ? false : 10_000),
});

export const workerApi = {
  invite: () => request("/api/workers", { answer: "workerInvitation", method: "POST", body: {} }),
  change: (id: HostId, state: "active" | "draining") =>
    request(`/api/workers/${id}`, { answer: "worker", method: "PATCH", body: { state } }),
  /** `host`: null is the server's own machine. */
  move: (id: AttemptId, host: string | null) => request(`/api/attempts/${id}/move`, { answer: "attempt", method: "POST", body: { host } }),
  remove: (id: HostId) => request(`/api/workers/${id}`, { method: "DELETE" }),
};
