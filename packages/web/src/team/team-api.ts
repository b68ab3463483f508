import type {
  ApiTokenId,
  CreateApiToken,
  CreateInvitation,
  InvitationId,
  OwnedKeyName,
  ProjectId,
  ProjectRole,
  UpdateUser,
  UserId,
  UserSessionId,
} from "@skein/contracts";
import { infiniteQueryOptions, queryOptions, skipToken } from "@tanstack/react-query";
import { request } from "../api/request.ts";
import { teamMode } from "../preferences/team-mode.ts";

/** Without users, all tokens are those of the one who is signed in. */
const tokensPath = () => (teamMode.isOn() ? "/api/me/tokens" : "/api/tokens");

/** `owner`: a project; null is the signed-in user. */
const keysPath = (owner: ProjectId | null) => (owner === null ? "/api/me/keys" : `/api/projects/${owner}/keys`);

export const teamApi = {
  signIn: (body: { email: string; password: string }) => request("/api/sign-in", { answer: "session", method: "POST", body }),
  startProvider: (id: string, body: { invitation?: string }) =>
    request(`/api/sign-in/${encodeURIComponent(id)}/start`, { answer: "teamProviderPage", method: "POST", body }),
  accept: (body: { code: string; email?: string; name: string; password: string }) =>
    request("/api/invitations/accept", { answer: "session", method: "POST", body }),

  rename: (name: string) => request("/api/me", { answer: "teamUser", method: "PATCH", body: { name } }),
  changePassword: (body: { current?: string; password: string }) => request("/api/me/password", { method: "PUT", body }),
  endSession: (id: UserSessionId) => request(`/api/me/sessions/${id}`, { method: "DELETE" }),
  createToken: (body: Omit<CreateApiToken, "limits">) => request(tokensPath(), { answer: "teamCreatedToken", method: "POST", body }),
  revokeToken: (id: ApiTokenId) => request(`${tokensPath()}/${id}`, { method: "DELETE" }),

  setKey: (owner: ProjectId | null, name: OwnedKeyName, apiKey: string) =>
    request(`${keysPath(owner)}/${name}`, { answer: "teamKey", method: "PUT", body: { apiKey } }),
  removeKey: (owner: ProjectId | null, name: OwnedKeyName) => request(`${keysPath(owner)}/${name}`, { method: "DELETE" }),

  setMember: (projectId: ProjectId, userId: UserId, role: ProjectRole) =>
    request(`/api/projects/${projectId}/members/${userId}`, { answer: "teamMembers", method: "PUT", body: { role } }),
  removeMember: (projectId: ProjectId, userId: UserId) => request(`/api/projects/${projectId}/members/${userId}`, { method: "DELETE" }),
  inviteToProject: (projectId: ProjectId, body: { email?: string; role: ProjectRole; days: number }) =>
    request(`/api/projects/${projectId}/invitations`, { answer: "teamCreatedInvitation", method: "POST", body }),
  invite: (body: Partial<CreateInvitation>) => request("/api/invitations", { answer: "teamCreatedInvitation", method: "POST", body }),
  withdraw: (id: InvitationId) => request(`/api/invitations/${id}`, { method: "DELETE" }),
  updateUser: (id: UserId, body: UpdateUser) => request(`/api/users/${id}`, { answer: "teamUser", method: "PATCH", body }),
  endSessions: (id: UserId) => request(`/api/users/${id}/sessions`, { method: "DELETE" }),
};

export const invitationQuery = (code: string) =>
  queryOptions({
    queryKey: ["invitation", code],
    queryFn: () => request("/api/invitations/read", { answer: "teamInvitation", method: "POST", body: { code } }),
    retry: false,
  });

export const sessionsQuery = queryOptions({
  queryKey: ["team", "sessions"],
  queryFn: ({ signal }) => request("/api/me/sessions", { answer: "teamSessions", signal }),
  refetchOnMount: "always",
});

export const tokensQuery = queryOptions({
  queryKey: ["team", "tokens"],
  queryFn: ({ signal }) => request(tokensPath(), { answer: "teamTokens", signal }),
  refetchOnMount: "always",
});

export const keysQuery = (owner: ProjectId | null) =>
  queryOptions({
    queryKey: ["team", "keys", owner],
    queryFn: ({ signal }) => request(keysPath(owner), { answer: "teamKeys", signal }),
    refetchOnMount: "always",
  });

export const membersQuery = (projectId: ProjectId) =>
  queryOptions({
    queryKey: ["team", "members", projectId],
    queryFn: ({ signal }) => request(`/api/projects/${projectId}/members`, { answer: "teamMembers", signal }),
    refetchOnMount: "always",
  });

export const candidatesQuery = (projectId: ProjectId) =>
  queryOptions({
    queryKey: ["team", "candidates", projectId],
    queryFn: ({ signal }) => request(`/api/projects/${projectId}/member-candidates`, { answer: "teamReferences", signal }),
    refetchOnMount: "always",
  });

/** For administrators. */
export const usersQuery = (isAdmin: boolean) =>
  queryOptions({
    queryKey: ["team", "users"],
    queryFn: isAdmin ? ({ signal }) => request("/api/users", { answer: "teamUsers", signal }) : skipToken,
    refetchOnMount: "always",
  });

export const invitationsQuery = queryOptions({
  queryKey: ["team", "invitations"],
  queryFn: ({ signal }) => request("/api/invitations", { answer: "teamInvitations", signal }),
  refetchOnMount: "always",
});

const auditPage = 50;

export const auditQuery = (userId: UserId | null) =>
  infiniteQueryOptions({
    queryKey: ["team", "audit", userId],
    queryFn: ({ pageParam, signal }) => {
      const search = new URLSearchParams({ limit: String(auditPage) });
      if (userId !== null) search.set("userId", userId);
      if (pageParam !== null) search.set("before", String(pageParam));
      return request(`/api/audit?${search}`, { answer: "teamAudit", signal });
    },
    initialPageParam: null as number | null,
    getNextPageParam: ({ entries, hasMore }) => (hasMore ? (entries.at(-1)?.number ?? null) : null),
    refetchOnMount: "always",
  });
