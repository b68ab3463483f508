import { addAgentSchema, agentCatalogueSchema, agentIdSchema, agentInfoSchema, agentListSchema, updateAgentSchema } from "@skein/contracts";
import { z } from "zod";
import { emptyRoute, jsonRoute, type Route } from "../route.ts";

const params = z.object({ id: agentIdSchema });

/** No route takes a command: these are configured in config.json only (X7). */
export const agentRoutes: readonly Route[] = [
  jsonRoute({
    method: "GET",
    path: "/api/agents",
    access: "signed-in",
    agents: true,
    summary: "List agents, with install hints for missing ones. `refresh` detects them again and reloads config.json",
    query: z.object({ refresh: z.stringbool().default(false) }),
    response: agentListSchema,
    handle: ({ services, query }) => services.agents.list(query),
  }),
  jsonRoute({
    method: "GET",
    path: "/api/agent-catalogue",
    access: "admin",
    summary: "List agents that can be added, with their commands",
    response: agentCatalogueSchema,
    handle: ({ services }) => services.agents.catalogue(),
  }),
  jsonRoute({
    method: "POST",
    path: "/api/agents",
    access: "admin",
    summary: "Add an agent of the catalogue, or update it to the catalogue's version. `hash` identifies the entry that was shown",
    status: 201,
    body: addAgentSchema,
    response: agentInfoSchema,
    handle: ({ services, body }) => services.agents.add(body),
  }),
  jsonRoute({
    method: "PATCH",
    path: "/api/agents/:id",
    access: "admin",
    summary: "Disable or enable an added agent",
    params,
    body: updateAgentSchema,
    response: agentInfoSchema,
    handle: ({ services, params, body }) => services.agents.update(params.id, body),
  }),
  emptyRoute({
    method: "DELETE",
    path: "/api/agents/:id",
    access: "admin",
    summary: "Remove an added agent from the settings. Its conversations are kept",
    params,
    handle: ({ services, params }) => services.agents.remove(params.id),
  }),
];
