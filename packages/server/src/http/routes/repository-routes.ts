import {
  agentSettingsSchema,
  gitLfsSchema,
  projectIdSchema,
  projectScriptsSchema,
  trustChangeSchema,
  trustContentSchema,
  trustPlaceSchema,
} from "@skein/contracts";
import { z } from "zod";
import { emptyRoute, jsonRoute, type Route } from "../route.ts";

const params = z.object({ id: projectIdSchema });

/** A request trusts content by the hash that was shown; the content itself comes only from the repository (X7). */
export const repositoryRoutes: readonly Route[] = [
  jsonRoute({
    method: "GET",
    path: "/api/projects/:id/trust-changes",
    summary: "List attempts whose worktree differs from the trusted content, where scripts, settings or servers are therefore disabled",
    params,
    response: z.array(trustChangeSchema),
    handle: ({ services, params }) => services.trustChanges(params.id),
  }),
  jsonRoute({
    method: "GET",
    path: "/api/projects/:id/scripts",
    summary: "Get the scripts of the repository's .skein/project.json, and whether they are trusted. Runs none",
    params,
    query: trustPlaceSchema,
    response: projectScriptsSchema,
    handle: ({ services, params, query }) => services.projectScripts.get(params.id, query),
  }),
  jsonRoute({
    method: "POST",
    path: "/api/projects/:id/scripts/trust",
    summary: "Trust the scripts as shown",
    params,
    body: trustContentSchema,
    response: projectScriptsSchema,
    handle: ({ services, params, body }) => services.projectScripts.trust(params.id, body),
  }),
  emptyRoute({
    method: "DELETE",
    path: "/api/projects/:id/scripts/trust",
    summary: "Revoke trust in the scripts",
    params,
    handle: ({ services, params }) => services.projectScripts.revoke(params.id),
  }),
  jsonRoute({
    method: "GET",
    path: "/api/projects/:id/agent-settings",
    summary: "List the agent settings in the repository, and whether they are trusted",
    params,
    query: trustPlaceSchema,
    response: agentSettingsSchema,
    handle: ({ services, params, query }) => services.agentSettings.get(params.id, query),
  }),
  jsonRoute({
    method: "POST",
    path: "/api/projects/:id/agent-settings/trust",
    summary: "Trust the agent settings as shown",
    params,
    body: trustContentSchema,
    response: agentSettingsSchema,
    handle: ({ services, params, body }) => services.agentSettings.trust(params.id, body),
  }),
  emptyRoute({
    method: "DELETE",
    path: "/api/projects/:id/agent-settings/trust",
    summary: "Revoke trust in the agent settings",
    params,
    handle: ({ services, params }) => services.agentSettings.revoke(params.id),
  }),
  jsonRoute({
    method: "GET",
    path: "/api/projects/:id/git-lfs",
    summary: "Get whether the repository uses Git LFS, and whether its LFS server is trusted. Runs nothing",
    params,
    response: gitLfsSchema,
    handle: ({ services, params }) => services.gitLfs.get(params.id),
  }),
  jsonRoute({
    method: "POST",
    path: "/api/projects/:id/git-lfs/trust",
    summary: "Allow the user's git-lfs to download missing files from the server that was shown",
    params,
    body: trustContentSchema,
    response: gitLfsSchema,
    handle: ({ services, params, body }) => services.gitLfs.trust(params.id, body),
  }),
  emptyRoute({
    method: "DELETE",
    path: "/api/projects/:id/git-lfs/trust",
    summary: "Revoke trust in the Git LFS server",
    params,
    handle: ({ services, params }) => services.gitLfs.revoke(params.id),
  }),
];
