import type { NodeId } from "@skein/contracts";
import { queryOptions } from "@tanstack/react-query";
import { request } from "./request.ts";

/** The servers that share the database; none with SQLite. */
export const nodesQuery = queryOptions({
  queryKey: ["nodes"],
  queryFn: ({ signal }) => request("/api/nodes", { answer: "nodes", signal }),
  // their leases are renewed without an event
  refetchInterval: ({ state: { data } }) => (data === undefined || data.length === 0 ? false : 3000),
});

export const nodeApi = {
  change: (id: NodeId, draining: boolean) => request(`/api/nodes/${id}`, { answer: "node", method: "PATCH", body: { draining } }),
  remove: (id: NodeId) => request(`/api/nodes/${id}`, { method: "DELETE" }),
};
