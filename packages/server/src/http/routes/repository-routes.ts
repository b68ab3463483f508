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

/** A request says what is trusted, by the hash that was shown; what runs is written in the repository alone (X7). */
export const repositoryRoutes: readonly Route[] = [
  jsonRoute({
    method: "GET",
    path: "/api/projects/:id/trust-changes",
    summary: "Attempts whose worktree differs from what is trusted, so that scripts, settings or servers are not used there",
    params,
    response: z.array(trustChangeSchema),
    handle: ({ services, params }) => services.trustChanges(params.id),
  }),
  jsonRoute({
    method: "GET",
    path: "/api/projects/:id/scripts",
    summary: "The scripts of the repository's .skein/project.json and whether they are trusted; runs none",
    params,
    query: trustPlaceSchema,
    response: projectScriptsSchema,
    handle: ({ services, params, query }) => services.projectScripts.get(params.id, query),
  }),
  jsonRoute({
    method: "POST",
    path: "/api/projects/:id/scripts/trust",
    summary: "Trust the scripts as they were shown",
    params,
    body: trustContentSchema,
    response: projectScriptsSchema,
    handle: ({ services, params, body }) => services.projectScripts.trust(params.id, body),
  }),
  emptyRoute({
    method: "DELETE",
    path: "/api/projects/:id/scripts/trust",
    summary: "Take back the trust in the scripts",
    params,
    handle: ({ services, params }) => services.projectScripts.revoke(params.id),
  }),
  jsonRoute({
    method: "GET",
    path: "/api/projects/:id/agent-settings",
    summary: "The settings that agents find in the repository, and whether they are trusted",
    params,
    query: trustPlaceSchema,
    response: agentSettingsSchema,
    handle: ({ services, params, query }) => services.agentSettings.get(params.id, query),
  }),
  jsonRoute({
    method: "POST",
    path: "/api/projects/:id/agent-settings/trust",
    summary: "Trust the agents' settings as they were shown",
    params,
    body: trustContentSchema,
    response: agentSettingsSchema,
    handle: ({ services, params, body }) => services.agentSettings.trust(params.id, body),
  }),
  emptyRoute({
    method: "DELETE",
    path: "/api/projects/:id/agent-settings/trust",
    summary: "Take back the trust in the agents' settings",
    params,
    handle: ({ services, params }) => services.agentSettings.revoke(params.id),
  }),
  jsonRoute({
    method: "GET",
    path: "/api/projects/:id/git-lfs",
    summary: "Whether the repository uses Git LFS, and whether the server of its files is trusted; runs nothing",
    params,
    response: gitLfsSchema,
    handle: ({ services, params }) => services.gitLfs.get(params.id),
  }),
  jsonRoute({
    method: "POST",
    path: "/api/projects/:id/git-lfs/trust",
    summary: "Let the user's own git-lfs download missing files from the server that was shown",
    params,
    body: trustContentSchema,
    response: gitLfsSchema,
    handle: ({ services, params, body }) => services.gitLfs.trust(params.id, body),
  }),
  emptyRoute({
    method: "DELETE",
    path: "/api/projects/:id/git-lfs/trust",
    summary: "Take back the trust in the server of Git LFS",
    params,
    handle: ({ services, params }) => services.gitLfs.revoke(params.id),
  }),
];
