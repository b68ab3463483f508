import type { AgentId, CatalogueEntry } from "@skein/contracts";
import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { agentsQuery } from "./queries.ts";
import { request } from "./request.ts";

/** Loaded whenever it is shown: a program may have been installed since. */
export const catalogueQuery = queryOptions({
  queryKey: ["agent-catalogue"],
  queryFn: ({ signal }) => request("/api/agent-catalogue", { answer: "agentCatalogue", signal }),
  refetchOnMount: "always",
});

const addressOf = (id: AgentId) => `/api/agents/${encodeURIComponent(id)}`;

/** No request names a command: the server takes it from its own data. */
export const agentApi = {
  add: ({ id, hash }: CatalogueEntry) => request("/api/agents", { answer: "agent", method: "POST", body: { catalogueId: id, hash } }),
  setEnabled: (id: AgentId, enabled: boolean) => request(addressOf(id), { answer: "agent", method: "PATCH", body: { enabled } }),
  remove: (id: AgentId) => request(addressOf(id), { method: "DELETE" }),
};

/** To be called after agents were added, changed or removed. */
export async function refreshAgents(client: QueryClient): Promise<void> {
  void client.invalidateQueries({ queryKey: catalogueQuery.queryKey });
  await client.invalidateQueries({ queryKey: agentsQuery.queryKey });
}
