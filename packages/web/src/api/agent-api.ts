import type { AgentId, CatalogueEntry } from "@skein/contracts";
import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { agentsQuery } from "./queries.ts";
import { request } from "./request.ts";

/** Whether a program is there may have changed: asked for again whenever it is shown. */
export const catalogueQuery = queryOptions({
  queryKey: ["agent-catalogue"],
  queryFn: ({ signal }) => request("/api/agent-catalogue", { answer: "agentCatalogue", signal }),
  refetchOnMount: "always",
});

const addressOf = (id: AgentId) => `/api/agents/${encodeURIComponent(id)}`;

/** Nothing here names a command: the server takes it from its own data. */
export const agentApi = {
  add: ({ id, hash }: CatalogueEntry) => request("/api/agents", { answer: "agent", method: "POST", body: { catalogueId: id, hash } }),
  setEnabled: (id: AgentId, enabled: boolean) => request(addressOf(id), { answer: "agent", method: "PATCH", body: { enabled } }),
  remove: (id: AgentId) => request(addressOf(id), { method: "DELETE" }),
};

/** After a change of which agents there are. */
export async function refreshAgents(client: QueryClient): Promise<void> {
  void client.invalidateQueries({ queryKey: catalogueQuery.queryKey });
  await client.invalidateQueries({ queryKey: agentsQuery.queryKey });
}
