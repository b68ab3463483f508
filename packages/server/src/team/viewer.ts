import type { Actor, ApiToken, ApiTokenId, ProjectId, ProjectRole, TokenScope, User, UserSessionId } from "@skein/contracts";

/** A request of a user, by a signed-in browser or an API token. */
export interface UserCaller {
  kind: "user";
  user: User;
  /** Roles in projects, deleted ones included. */
  roles: ReadonlyMap<ProjectId, ProjectRole>;
  credential: { kind: "session"; id: UserSessionId } | { kind: "token"; id: ApiTokenId; token: ApiToken };
  /** When the session or the token ends. */
  expiresAt: number;
}

const ranks: Record<ProjectRole, number> = { viewer: 0, member: 1, owner: 2 };
const scopeOfRole: Record<ProjectRole, TokenScope> = { viewer: "read", member: "write", owner: "manage" };
const scopeRanks: Record<TokenScope, number> = { read: 0, write: 1, manage: 2, admin: 3 };

/** What a user may see and do. */
export interface Viewer {
  by: Actor;
  isAdmin: boolean;
  /** Undefined if the user may not see the project. */
  roleIn(projectId: ProjectId): ProjectRole | undefined;
  /** The projects that the user may see; undefined: all. */
  projectIds: readonly ProjectId[] | undefined;
}

export function toViewer({ user, roles, credential }: UserCaller): Viewer {
  const token = credential.kind === "token" ? credential.token : undefined;
  const only = token?.projectIds ?? null;
  const visible = user.isAdmin ? undefined : [...roles.keys()];
  return {
    by: { id: user.id, name: user.name },
    isAdmin: user.isAdmin && (token === undefined || token.scope === "admin"),
    roleIn(projectId) {
      if (only !== null && !only.includes(projectId)) return undefined;
      return user.isAdmin ? "owner" : roles.get(projectId);
    },
    projectIds: only === null ? visible : only.filter((id) => visible?.includes(id) ?? true),
  };
}

export function hasRole(role: ProjectRole, needed: ProjectRole): boolean {
  return ranks[role] >= ranks[needed];
}

/** The scope that an API token needs to act in a role; undefined if it has it, or if there is no token. */
export function findMissingScope({ credential }: UserCaller, needed: TokenScope): TokenScope | undefined {
  return credential.kind === "session" || scopeRanks[credential.token.scope] >= scopeRanks[needed] ? undefined : needed;
}

export function toScope(role: ProjectRole): TokenScope {
  return scopeOfRole[role];
}
