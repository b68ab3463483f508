import { addAgentSchema, agentCatalogueSchema, agentIdSchema, agentInfoSchema, agentListSchema, updateAgentSchema } from "@skein/contracts";
import { z } from "zod";
import { emptyRoute, jsonRoute, type Route } from "../route.ts";

const params = z.object({ id: agentIdSchema });

/** No route takes a command: whoever may write config.json names it there (X7). */
export const agentRoutes: readonly Route[] = [
  jsonRoute({
    method: "GET",
    path: "/api/agents",
    summary: "List the agents, and how to get those that are missing; `refresh` looks for them again and reads config.json again",
    query: z.object({ refresh: z.stringbool().default(false) }),
    response: agentListSchema,
    handle: ({ services, query }) => services.agents.list(query),
  }),
  jsonRoute({
    method: "GET",
    path: "/api/agent-catalogue",
    summary: "Agents that can be added, with the command that each of them runs",
    response: agentCatalogueSchema,
    handle: ({ services }) => services.agents.catalogue(),
  }),
  jsonRoute({
    method: "POST",
    path: "/api/agents",
    summary: "Add an agent of the catalogue, or bring it to the catalogue's version; `hash` is that of the entry that was shown",
    status: 201,
    body: addAgentSchema,
    response: agentInfoSchema,
    handle: ({ services, body }) => services.agents.add(body),
  }),
  jsonRoute({
    method: "PATCH",
    path: "/api/agents/:id",
    summary: "Turn an agent that was added off, or on again",
    params,
    body: updateAgentSchema,
    response: agentInfoSchema,
    handle: ({ services, params, body }) => services.agents.update(params.id, body),
  }),
  emptyRoute({
    method: "DELETE",
    path: "/api/agents/:id",
    summary: "Remove an agent that was added from the settings; its conversations stay",
    params,
    handle: ({ services, params }) => services.agents.remove(params.id),
  }),
];
