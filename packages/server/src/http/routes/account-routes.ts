import {
  apiTokenIdSchema,
  apiTokenSchema,
  changePasswordSchema,
  createApiTokenSchema,
  createdApiTokenSchema,
  listedSessionSchema,
  meSchema,
  ownedKeyNameSchema,
  ownedKeySchema,
  setProviderKeySchema,
  type UserId,
  updateMeSchema,
  userSchema,
  userSessionIdSchema,
} from "@skein/contracts";
import { z } from "zod";
import { toViewer } from "../../team/viewer.ts";
import { HttpProblem } from "../http-problem.ts";
import { emptyRoute, jsonRoute, type Route } from "../route.ts";
import type { Caller } from "../security/access.ts";
import { sessionOf } from "./sign-in-routes.ts";

const ofKey = z.object({ name: ownedKeyNameSchema });

/** The account of the signed-in user. */
export const accountRoutes: readonly Route[] = [
  jsonRoute({
    method: "GET",
    path: "/api/me",
    access: "signed-in",
    agents: true,
    summary: "Get the signed-in user, and the user's projects",
    response: meSchema,
    handle: async ({ maybeTeam, caller, services }) => {
      if (caller.kind === "token") {
        const { scope } = caller.token;
        return { team: maybeTeam !== undefined, user: null, isAdmin: toViewer(caller).isAdmin, scope, projects: [] };
      }
      if (caller.kind !== "user") return { team: maybeTeam !== undefined, user: null, isAdmin: true, projects: [] };
      const { credential, roles, user } = caller;
      const visible = new Set((await services.projects.list()).map(({ id }) => id));
      return {
        ...{ team: true, user, isAdmin: toViewer(caller).isAdmin },
        ...(credential.kind === "token" ? { scope: credential.token.scope } : {}),
        projects: [...roles].filter(([projectId]) => visible.has(projectId)).map(([projectId, role]) => ({ projectId, role })),
      };
    },
  }),
  jsonRoute({
    method: "PATCH",
    path: "/api/me",
    access: "browser",
    toAudited: (body) => body,
    summary: "Change the name of the signed-in user",
    body: updateMeSchema,
    response: userSchema,
    handle: ({ team, caller, body }) => team.account.rename(userOf(caller), body.name),
  }),
  emptyRoute({
    method: "PUT",
    path: "/api/me/password",
    access: "browser",
    summary: "Change the password. Ends all other sessions of the user",
    body: changePasswordSchema,
    handle: ({ team, caller, body: { current, password } }) =>
      team.account.changePassword(userOf(caller), { current, password, session: sessionOf(caller) }),
  }),
  jsonRoute({
    method: "GET",
    path: "/api/me/sessions",
    access: "browser",
    summary: "List the signed-in browsers of the user",
    response: z.array(listedSessionSchema),
    handle: async ({ team, caller }) => {
      const sessions = await team.sessions.list(userOf(caller));
      return sessions.map((session) => ({ ...session, isCurrent: session.id === sessionOf(caller) }));
    },
  }),
  emptyRoute({
    method: "DELETE",
    path: "/api/me/sessions/:id",
    access: "browser",
    summary: "Sign a browser of the user out",
    params: z.object({ id: userSessionIdSchema }),
    handle: ({ team, caller, params }) => team.sessions.end(userOf(caller), params.id),
  }),
  jsonRoute({
    method: "GET",
    path: "/api/me/tokens",
    access: "browser",
    summary: "List the user's API tokens. The tokens themselves are never returned",
    response: z.array(apiTokenSchema),
    handle: ({ team, caller }) => team.tokens.list({ userId: userOf(caller) }),
  }),
  jsonRoute({
    method: "POST",
    path: "/api/me/tokens",
    access: "browser",
    toAudited: (body) => body,
    summary: "Create an API token. It is returned once",
    status: 201,
    body: createApiTokenSchema,
    response: createdApiTokenSchema,
    handle: ({ team, caller, body }) => team.tokens.create(userOf(caller), body),
  }),
  emptyRoute({
    method: "DELETE",
    path: "/api/me/tokens/:id",
    access: "browser",
    summary: "Revoke an API token of the user",
    params: z.object({ id: apiTokenIdSchema }),
    handle: ({ team, caller, params }) => team.tokens.remove(params.id, { userId: userOf(caller) }),
  }),
  jsonRoute({
    method: "GET",
    path: "/api/me/keys",
    access: "browser",
    summary: "List which keys of providers and agents the user has. Keys are never returned",
    response: z.array(ownedKeySchema),
    handle: ({ team, caller }) => team.keys.list(userOf(caller)),
  }),
  jsonRoute({
    method: "PUT",
    path: "/api/me/keys/:name",
    access: "browser",
    summary: "Set a key of the user. It is used only for messages that this user sends",
    params: ofKey,
    body: setProviderKeySchema,
    response: ownedKeySchema,
    handle: ({ team, caller, params, body }) => team.keys.set(userOf(caller), params.name, body.apiKey),
  }),
  emptyRoute({
    method: "DELETE",
    path: "/api/me/keys/:name",
    access: "browser",
    summary: "Remove a key of the user",
    params: ofKey,
    handle: async ({ team, caller, params }) => void (await team.keys.set(userOf(caller), params.name, null)),
  }),
];

function userOf(caller: Caller): UserId {
  if (caller.kind === "user") return caller.user.id;
  throw new HttpProblem({ status: 403, text: { code: "browser-required" } });
}
