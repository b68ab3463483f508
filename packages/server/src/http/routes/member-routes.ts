import {
  createdInvitationSchema,
  inviteToProjectSchema,
  memberSchema,
  ownedKeyNameSchema,
  ownedKeySchema,
  projectIdSchema,
  setMemberSchema,
  setProviderKeySchema,
  userIdSchema,
  userReferenceSchema,
} from "@skein/contracts";
import { z } from "zod";
import { emptyRoute, jsonRoute, type Route } from "../route.ts";
import { actorOf } from "./user-routes.ts";

const params = z.object({ id: projectIdSchema });
const ofMember = params.extend({ userId: userIdSchema });
const ofKey = params.extend({ name: ownedKeyNameSchema });

/** Members and keys of a project. */
export const memberRoutes: readonly Route[] = [
  jsonRoute({
    method: "GET",
    path: "/api/projects/:id/members",
    access: { project: "viewer" },
    summary: "List the members of a project, with their roles",
    params,
    response: z.array(memberSchema),
    handle: ({ team, params }) => team.members.list(params.id),
  }),
  jsonRoute({
    method: "GET",
    path: "/api/projects/:id/member-candidates",
    access: { project: "owner" },
    summary: "List users who are not members of a project",
    params,
    response: z.array(userReferenceSchema),
    handle: ({ team, params }) => team.members.candidates(params.id),
  }),
  jsonRoute({
    method: "PUT",
    path: "/api/projects/:id/members/:userId",
    access: { project: "owner" },
    toAudited: (body) => body,
    summary: "Add a user to a project, or change the user's role",
    params: ofMember,
    body: setMemberSchema,
    response: z.array(memberSchema),
    handle: ({ team, params, body }) => team.members.set(params.id, params.userId, body.role),
  }),
  emptyRoute({
    method: "DELETE",
    path: "/api/projects/:id/members/:userId",
    access: { project: "owner" },
    summary: "Remove a user from a project",
    params: ofMember,
    handle: async ({ team, params }) => void (await team.members.set(params.id, params.userId, null)),
  }),
  jsonRoute({
    method: "POST",
    path: "/api/projects/:id/invitations",
    access: { project: "owner" },
    toAudited: (body) => body,
    summary: "Invite somebody to this server and this project. The link is returned once",
    status: 201,
    params,
    body: inviteToProjectSchema,
    response: createdInvitationSchema,
    handle: ({ team, params, body: { role, ...input }, caller }) =>
      team.invitations.create({ ...input, isAdmin: false, projects: [{ projectId: params.id, role }] }, actorOf(caller)),
  }),
  jsonRoute({
    method: "GET",
    path: "/api/projects/:id/keys",
    access: { project: "member" },
    summary: "List which keys of providers and agents a project has. Keys are never returned",
    params,
    response: z.array(ownedKeySchema),
    handle: ({ team, params }) => team.keys.list(params.id),
  }),
  jsonRoute({
    method: "PUT",
    path: "/api/projects/:id/keys/:name",
    access: { project: "owner" },
    summary: "Set a key of a project, used for messages of users who have none of their own",
    params: ofKey,
    body: setProviderKeySchema,
    response: ownedKeySchema,
    handle: ({ team, params, body }) => team.keys.set(params.id, params.name, body.apiKey),
  }),
  emptyRoute({
    method: "DELETE",
    path: "/api/projects/:id/keys/:name",
    access: { project: "owner" },
    summary: "Remove a key of a project",
    params: ofKey,
    handle: async ({ team, params }) => void (await team.keys.set(params.id, params.name, null)),
  }),
];
