import type { Actor, ApiToken, ApiTokenId, AttemptId, ProjectId, ProjectRole, TokenScope, User, UserSessionId } from "@skein/contracts";

/** A request of a user, by a signed-in browser or an API token. */
export interface UserCaller {
  kind: "user";
  user: User;
  /** Roles in projects, deleted ones included. */
  roles: ReadonlyMap<ProjectId, ProjectRole>;
  credential:
    | { kind: "session"; id: UserSessionId }
    /** `attemptId`: the attempt of the token's execution. */
    | { kind: "token"; id: ApiTokenId; token: ApiToken; attemptId?: AttemptId | undefined };
  /** When the session or the token ends. */
  expiresAt: number;
}

/** A request with an API token that belongs to no user: on a server without users, or of the agent of an execution that no user sent. */
export interface TokenCaller {
  kind: "token";
  token: ApiToken;
  /** The attempt of the token's execution. */
  attemptId?: AttemptId | undefined;
  /** When the token ends. */
  expiresAt: number;
}

const ranks: Record<ProjectRole, number> = { viewer: 0, member: 1, owner: 2 };
const scopeOfRole: Record<ProjectRole, TokenScope> = { viewer: "read", member: "write", owner: "manage" };
const scopeRanks: Record<TokenScope, number> = { read: 0, write: 1, approve: 2, manage: 3, admin: 4 };

/** What a user may see and do. */
export interface Viewer {
  by: Actor;
  isAdmin: boolean;
  /** Undefined if the user may not see the project. */
  roleIn(projectId: ProjectId): ProjectRole | undefined;
  /** The projects that the user may see; undefined: all. */
  projectIds: readonly ProjectId[] | undefined;
}

export function toViewer(caller: UserCaller | TokenCaller): Viewer {
  if (caller.kind === "token") return toTokenViewer(caller);
  const { user, roles, credential } = caller;
  const token = credential.kind === "token" ? credential.token : undefined;
  const only = token?.projectIds ?? null;
  const visible = user.isAdmin ? undefined : [...roles.keys()];
  return {
    by: { id: user.id, name: user.name, ...toUse(credential.kind === "token" ? credential : undefined) },
    isAdmin: user.isAdmin && (token === undefined || token.scope === "admin"),
    roleIn(projectId) {
      if (only !== null && !only.includes(projectId)) return undefined;
      return user.isAdmin ? "owner" : roles.get(projectId);
    },
    projectIds: only === null ? visible : only.filter((id) => visible?.includes(id) ?? true),
  };
}

/** The token bounds what its program may do: there is no user whose rights could be fewer. */
function toTokenViewer({ token, attemptId }: TokenCaller): Viewer {
  const only = token.projectIds;
  return {
    by: { id: token.id, name: token.name, ...toUse({ token, attemptId }) },
    isAdmin: token.scope === "admin",
    roleIn: (projectId) => (only === null || only.includes(projectId) ? "owner" : undefined),
    projectIds: only ?? undefined,
  };
}

function toUse(used: { token: ApiToken; attemptId?: AttemptId | undefined } | undefined): Pick<Actor, "tokenId" | "agent"> {
  if (used === undefined) return {};
  const { token, attemptId } = used;
  const { id: tokenId, executionId } = token;
  return { tokenId, ...(executionId === null || attemptId === undefined ? {} : { agent: { executionId, attemptId } }) };
}

/** The token of a request; undefined for a signed-in browser. */
export function findToken(caller: UserCaller | TokenCaller): ApiToken | undefined {
  if (caller.kind === "token") return caller.token;
  return caller.credential.kind === "token" ? caller.credential.token : undefined;
}

export function hasRole(role: ProjectRole, needed: ProjectRole): boolean {
  return ranks[role] >= ranks[needed];
}

/** The scope that an API token needs to act in a role; undefined if it has it, or if there is no token. */
export function findMissingScope(caller: UserCaller | TokenCaller, needed: TokenScope): TokenScope | undefined {
  const token = findToken(caller);
  return token === undefined || scopeRanks[token.scope] >= scopeRanks[needed] ? undefined : needed;
}

export function toScope(role: ProjectRole): TokenScope {
  return scopeOfRole[role];
}
