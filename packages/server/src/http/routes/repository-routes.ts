import {
  agentSettingsSchema,
  gitHooksSchema,
  gitLfsSchema,
  projectIdSchema,
  projectScriptsSchema,
  trustChangeSchema,
  trustContentSchema,
  trustPlaceSchema,
} from "@skein/contracts";
import { z } from "zod";
import type { Services } from "../../services/services.ts";
import type { TrustService } from "../../services/trust-services.ts";
import { emptyRoute, jsonRoute, type Route } from "../route.ts";

const params = z.object({ id: projectIdSchema });

/** A request trusts content by the hash that was shown; the content itself comes only from the repository (X7). */
export const repositoryRoutes: readonly Route[] = [
  jsonRoute({
    method: "GET",
    path: "/api/projects/:id/trust-changes",
    access: { project: "member" },
    summary: "List attempts whose worktree differs from the trusted content, where scripts, settings or servers are therefore disabled",
    params,
    response: z.array(trustChangeSchema),
    handle: ({ services, params }) => services.trustChanges(params.id),
  }),
  ...trustRoutes({
    name: "scripts",
    response: projectScriptsSchema,
    choose: ({ projectScripts }) => projectScripts,
    get: "Get the scripts of the repository's .skein/project.json, and whether they are trusted. Runs none",
    trust: "Trust the scripts as shown",
    revoke: "Revoke trust in the scripts",
  }),
  ...trustRoutes({
    name: "agent-settings",
    response: agentSettingsSchema,
    choose: ({ agentSettings }) => agentSettings,
    get: "List the agent settings in the repository, and whether they are trusted",
    trust: "Trust the agent settings as shown",
    revoke: "Revoke trust in the agent settings",
  }),
  ...trustRoutes({
    name: "hooks",
    response: gitHooksSchema,
    choose: ({ gitHooks }) => gitHooks,
    get: "List the git hooks that a commit or a push would run, and whether they are trusted. Runs none",
    trust: "Trust the git hooks as shown",
    revoke: "Revoke trust in the git hooks",
  }),
  ...trustRoutes({
    name: "git-lfs",
    response: gitLfsSchema,
    isOfProject: true,
    choose: ({ gitLfs }) => gitLfs,
    get: "Get whether the repository uses Git LFS, and whether its LFS server is trusted. Runs nothing",
    trust: "Allow the user's git-lfs to download missing files from the server that was shown",
    revoke: "Revoke trust in the Git LFS server",
  }),
];

/** What a repository names and a user may trust: read it, trust it, revoke that. `isOfProject`: it is the same in each attempt. */
function trustRoutes<Response extends z.ZodType>(content: {
  name: string;
  response: Response;
  isOfProject?: boolean;
  choose(services: Services): TrustService<z.input<Response>>;
  get: string;
  trust: string;
  revoke: string;
}): Route[] {
  const { name, response, choose } = content;
  const path = `/api/projects/:id/${name}`;
  const common = { method: "GET", path, access: { project: "member" }, summary: content.get, params, response } as const;
  return [
    content.isOfProject
      ? jsonRoute({ ...common, handle: ({ services, params }) => choose(services).get(params.id) })
      : jsonRoute({
          ...common,
          query: trustPlaceSchema,
          handle: ({ services, params, query }) => choose(services).get(params.id, query),
        }),
    jsonRoute({
      method: "POST",
      path: `${path}/trust`,
      access: { project: "owner" },
      summary: content.trust,
      params,
      body: trustContentSchema,
      response,
      handle: ({ services, params, body }) => choose(services).trust(params.id, body),
    }),
    emptyRoute({
      method: "DELETE",
      path: `${path}/trust`,
      access: { project: "owner" },
      summary: content.revoke,
      params,
      handle: ({ services, params }) => choose(services).revoke(params.id),
    }),
  ];
}
