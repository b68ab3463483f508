import { agentSettingsSchema, projectIdSchema, projectScriptsSchema, trustContentSchema } from "@skein/contracts";
import { z } from "zod";
import { emptyRoute, jsonRoute, type Route } from "../route.ts";

const params = z.object({ id: projectIdSchema });

/** A request says what is trusted, by the hash that was shown; what runs is written in the repository alone (X7). */
export const repositoryRoutes: readonly Route[] = [
  jsonRoute({
    method: "GET",
    path: "/api/projects/:id/scripts",
    summary: "The scripts of the repository's .skein/project.json and whether they are trusted; runs none",
    params,
    response: projectScriptsSchema,
    handle: ({ services, params }) => services.projectScripts.get(params.id),
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
    response: agentSettingsSchema,
    handle: ({ services, params }) => services.agentSettings.get(params.id),
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
];
