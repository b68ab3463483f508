import {
  agentIdSchema,
  agentSessionListSchema,
  branchListSchema,
  createProjectSchema,
  deletionQuerySchema,
  deletionResultSchema,
  grantIdSchema,
  listedGrantSchema,
  projectIdSchema,
  projectSchema,
  updateProjectSchema,
} from "@skein/contracts";
import { z } from "zod";
import { emptyRoute, jsonRoute, type Route } from "../route.ts";

const params = z.object({ id: projectIdSchema });

export const projectRoutes: readonly Route[] = [
  jsonRoute({
    method: "GET",
    path: "/api/projects",
    summary: "List the projects",
    response: z.array(projectSchema),
    handle: ({ services }) => services.projects.list(),
  }),
  jsonRoute({
    method: "POST",
    path: "/api/projects",
    summary: "Add a git repository on this machine as a project",
    body: createProjectSchema,
    status: 201,
    response: projectSchema,
    handle: ({ services, body }) => services.projects.create(body),
  }),
  jsonRoute({
    method: "GET",
    path: "/api/projects/:id",
    summary: "Get a project",
    params,
    response: projectSchema,
    handle: ({ services, params }) => services.projects.get(params.id),
  }),
  jsonRoute({
    method: "GET",
    path: "/api/projects/:id/branches",
    summary: "List the branches that an attempt can start from, most recent commit first",
    params,
    response: branchListSchema,
    handle: ({ services, params }) => services.projects.branches(params.id),
  }),
  jsonRoute({
    method: "GET",
    path: "/api/projects/:id/agent-sessions",
    summary: "List the agent's own sessions in the project's folder, newest first. Starts the agent's program",
    params,
    query: z.object({ agent: agentIdSchema }),
    response: agentSessionListSchema,
    handle: ({ services, params, query }) => services.projects.agentSessions(params.id, query.agent),
  }),
  jsonRoute({
    method: "PATCH",
    path: "/api/projects/:id",
    summary: "Change a project",
    params,
    body: updateProjectSchema,
    response: projectSchema,
    handle: ({ services, params, body }) => services.projects.update(params.id, body),
  }),
  jsonRoute({
    method: "DELETE",
    path: "/api/projects/:id",
    summary: "Remove a project and its tasks. The repository is not changed",
    params,
    query: deletionQuerySchema,
    response: deletionResultSchema,
    handle: ({ services, params, query }) => services.projects.remove(params.id, { discard: query.discard === "true" }),
  }),
  jsonRoute({
    method: "GET",
    path: "/api/projects/:id/permission-rules",
    summary: "List permanent permissions in a project",
    params,
    response: z.array(listedGrantSchema),
    handle: ({ services, params }) => services.grants.list(params.id),
  }),
  emptyRoute({
    method: "DELETE",
    path: "/api/permission-rules/:id",
    summary: "Revoke a permanent permission",
    params: z.object({ id: grantIdSchema }),
    handle: ({ services, params }) => services.grants.remove(params.id),
  }),
];
