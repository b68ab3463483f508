import {
  apiTokenIdSchema,
  apiTokenSchema,
  auditPageSchema,
  createdApiTokenSchema,
  createdInvitationSchema,
  createInvitationSchema,
  createTokenOfUserSchema,
  createUserSchema,
  invitationIdSchema,
  invitationSchema,
  projectIdSchema,
  updateUserSchema,
  userIdSchema,
  userSchema,
  userSessionSchema,
} from "@skein/contracts";
import { z } from "zod";
import { HttpProblem } from "../http-problem.ts";
import { emptyRoute, jsonRoute, type Route } from "../route.ts";
import type { Caller } from "../security/access.ts";

const ofUser = z.object({ id: userIdSchema });

/** What administrators do with users. */
export const userRoutes: readonly Route[] = [
  jsonRoute({
    method: "GET",
    path: "/api/users",
    access: "admin",
    summary: "List the users",
    response: z.array(userSchema),
    handle: ({ team }) => team.users.list(),
  }),
  jsonRoute({
    method: "POST",
    path: "/api/users",
    access: "admin",
    toAudited: ({ password: _, ...body }) => body,
    summary: "Create a user",
    status: 201,
    body: createUserSchema,
    response: userSchema,
    handle: ({ team, body }) => team.users.create(body),
  }),
  jsonRoute({
    method: "PATCH",
    path: "/api/users/:id",
    access: "admin",
    toAudited: ({ password, ...body }) => ({ ...body, ...(password === undefined ? {} : { password: "set" }) }),
    summary: "Change a user. Deactivating ends the user's sessions, streams and tokens at once",
    params: ofUser,
    body: updateUserSchema,
    response: userSchema,
    handle: ({ team, params, body }) => team.users.update(params.id, body),
  }),
  jsonRoute({
    method: "GET",
    path: "/api/users/:id/sessions",
    access: "admin",
    summary: "List the signed-in browsers of a user",
    params: ofUser,
    response: z.array(userSessionSchema),
    handle: ({ team, params }) => team.sessions.list(params.id),
  }),
  emptyRoute({
    method: "DELETE",
    path: "/api/users/:id/sessions",
    access: "admin",
    summary: "Sign all browsers of a user out",
    params: ofUser,
    handle: ({ team, params }) => team.sessions.endAll(params.id),
  }),
  jsonRoute({
    method: "GET",
    path: "/api/invitations",
    access: "admin",
    summary: "List the invitations",
    response: z.array(invitationSchema),
    handle: ({ team }) => team.invitations.list(),
  }),
  jsonRoute({
    method: "POST",
    path: "/api/invitations",
    access: "admin",
    toAudited: (body) => body,
    summary: "Invite somebody. The link is returned once",
    status: 201,
    body: createInvitationSchema,
    response: createdInvitationSchema,
    handle: ({ team, body, caller }) => team.invitations.create(body, actorOf(caller)),
  }),
  emptyRoute({
    method: "DELETE",
    path: "/api/invitations/:id",
    access: "admin",
    summary: "Withdraw an invitation",
    params: z.object({ id: invitationIdSchema }),
    handle: ({ team, params }) => team.invitations.remove(params.id),
  }),
  jsonRoute({
    method: "GET",
    path: "/api/tokens",
    access: "admin",
    summary: "List API tokens, of all users or of one. The tokens themselves are never returned",
    query: z.object({ userId: userIdSchema.exactOptional() }),
    response: z.array(apiTokenSchema),
    handle: async ({ tokens, query }) => (await tokens()).list(query),
  }),
  jsonRoute({
    method: "POST",
    path: "/api/tokens",
    access: "admin",
    toAudited: (body) => body,
    summary: "Create an API token; on a server with users, for one of them. It is returned once. Agents cannot create one",
    status: 201,
    body: createTokenOfUserSchema,
    response: createdApiTokenSchema,
    handle: async ({ tokens, maybeTeam, refuseAgents, body: { userId = null, ...input } }) => {
      if (maybeTeam !== undefined && userId === null) throw new HttpProblem({ status: 400, text: { code: "token-needs-user" } });
      await refuseAgents();
      return (await tokens()).create(userId, input);
    },
  }),
  emptyRoute({
    method: "DELETE",
    path: "/api/tokens/:id",
    access: "admin",
    summary: "Revoke an API token",
    params: z.object({ id: apiTokenIdSchema }),
    handle: async ({ tokens, params }) => (await tokens()).remove(params.id),
  }),
  jsonRoute({
    method: "GET",
    path: "/api/audit",
    access: "admin",
    summary: "List who did what, newest first. Continue with `before`, the number of the last entry",
    query: z.object({
      before: z.coerce.number().int().positive().optional(),
      limit: z.coerce.number().int().min(1).max(500).default(100),
      userId: userIdSchema.optional(),
      projectId: projectIdSchema.optional(),
      action: z.string().max(200).optional(),
    }),
    response: auditPageSchema,
    handle: ({ team, query }) => team.auditLog(query),
  }),
];

export function actorOf(caller: Caller) {
  return caller.kind === "user" ? { id: caller.user.id, name: caller.user.name } : undefined;
}
