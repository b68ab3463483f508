import { createSessionSchema, nodeIdSchema, nodeListSchema, nodeSchema, updateNodeSchema } from "@skein/contracts";
import { z } from "zod";
import { streamLive } from "../nodes/stream-live.ts";
import { emptyRoute, jsonRoute, type Route, rawRoute } from "../route.ts";

export const nodeRoutes: readonly Route[] = [
  jsonRoute({
    method: "GET",
    path: "/api/nodes",
    summary: "List the servers that share the Postgres database. Empty with SQLite",
    access: "admin",
    response: nodeListSchema,
    handle: ({ services }) => services.nodes.list(),
  }),
  jsonRoute({
    method: "PATCH",
    path: "/api/nodes/:id",
    summary: "Drain a server, which then starts no agents on its machine and takes no projects, or activate it again",
    access: "admin",
    params: z.object({ id: nodeIdSchema }),
    body: updateNodeSchema,
    response: nodeSchema,
    handle: ({ services, params, body }) => services.nodes.update(params.id, body),
  }),
  emptyRoute({
    method: "DELETE",
    path: "/api/nodes/:id",
    summary: "Give up a server that is not running: executions on its machine are interrupted",
    access: "admin",
    params: z.object({ id: nodeIdSchema }),
    handle: ({ services, params }) => services.nodes.remove(params.id),
  }),
  rawRoute({
    method: "GET",
    path: "/api/nodes/live",
    summary: "Stream what agents of this server show before it is committed, to another server that shares the database",
    access: "node",
    mediaTypes: ["application/x-ndjson"],
    handle: async ({ services, method }) => (method === "HEAD" ? new Response(null) : streamLive(services)),
  }),
  jsonRoute({
    method: "POST",
    path: "/api/nodes/launch-codes",
    summary: "Redeem the code of a launch link for another server that shares the database",
    access: "node",
    body: createSessionSchema,
    response: z.object({ redeemed: z.boolean() }),
    handle: async ({ http, body }) => ({ redeemed: http.redeem(body.code) }),
  }),
];
