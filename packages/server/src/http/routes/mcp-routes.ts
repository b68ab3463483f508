import {
  mcpServerInfoSchema,
  mcpServerListSchema,
  mcpServerNameSchema,
  projectIdSchema,
  trustMcpServerSchema,
  trustPlaceSchema,
} from "@skein/contracts";
import { z } from "zod";
import { emptyRoute, jsonRoute, type Route } from "../route.ts";

const params = z.object({ id: projectIdSchema });
const serverParams = params.extend({ name: mcpServerNameSchema });

export const mcpRoutes: readonly Route[] = [
  jsonRoute({
    method: "GET",
    path: "/api/projects/:id/mcp-servers",
    access: { project: "member" },
    summary: "List the MCP servers of the settings and of a project's .mcp.json, and whether they are trusted. Starts none",
    params,
    query: trustPlaceSchema,
    response: mcpServerListSchema,
    handle: ({ services, params, query }) => services.mcpServers.list(params.id, query),
  }),
  jsonRoute({
    method: "POST",
    path: "/api/projects/:id/mcp-servers/:name/trust",
    access: { project: "owner" },
    summary: "Trust a server of a project's .mcp.json with its current definition and tools. It is started once to list the tools",
    params: serverParams,
    body: trustMcpServerSchema,
    response: mcpServerInfoSchema,
    handle: ({ services, params, body }) => services.mcpServers.trust(params.id, params.name, body),
  }),
  emptyRoute({
    method: "DELETE",
    path: "/api/projects/:id/mcp-servers/:name/trust",
    access: { project: "owner" },
    summary: "Revoke trust in a server",
    params: serverParams,
    handle: ({ services, params }) => services.mcpServers.revoke(params.id, params.name),
  }),
];
