import type {
  ApiToken,
  ApiTokenId,
  AuditEntry,
  ExecutionId,
  Invitation,
  InvitationId,
  Member,
  Membership,
  OwnedKeyName,
  ProjectId,
  ProjectRole,
  TaskId,
  User,
  UserId,
  UserSession,
  UserSessionId,
} from "@skein/contracts";

/** A user with what only the server may know. */
export interface StoredUser extends Omit<User, "hasPassword"> {
  /** As `hashPassword` writes it; null: the user has no password. */
  passwordHash: string | null;
}

/** An identity at an OpenID Connect provider. */
export interface UserIdentity {
  issuer: string;
  subject: string;
  userId: UserId;
}

/** Both hashes of a browser session. */
export interface SessionHashes {
  cookieHash: string;
  secretHash: string;
}

/** How many sign-ins of an account, or from an address, have failed. */
export interface SignInLimit {
  subject: string;
  failures: number;
  blockedUntil: number;
  updatedAt: number;
}

/** An encrypted key of a project or a user. */
export interface SealedKey {
  owner: ProjectId | UserId;
  name: OwnedKeyName;
  sealed: string;
  updatedAt: number;
}

/** Users and their rights. Only servers in team mode use it. Lists are oldest first unless stated otherwise. */
export interface TeamReader {
  countUsers(): Promise<number>;
  /** By name. */
  listUsers(): Promise<StoredUser[]>;
  findUser(query: { id: UserId } | { email: string } | { issuer: string; subject: string }): Promise<StoredUser | undefined>;
  listMemberships(query: { userId: UserId }): Promise<Membership[]>;
  /** Owners first, then by name. */
  listMembers(query: { projectId: ProjectId }): Promise<Member[]>;
  listInvitations(query?: { projectId?: ProjectId }): Promise<Invitation[]>;
  findInvitation(query: { codeHash: string } | { id: InvitationId }): Promise<Invitation | undefined>;
  /** Its secret is compared by the caller. */
  findUserSession(query: { cookieHash: string } | { id: UserSessionId }): Promise<(UserSession & SessionHashes) | undefined>;
  listUserSessions(query: { userId: UserId }): Promise<UserSession[]>;
  findApiToken(query: { tokenHash: string } | { id: ApiTokenId }): Promise<ApiToken | undefined>;
  listApiTokens(query?: { userId?: UserId }): Promise<ApiToken[]>;
  findSignInLimit(query: { subject: string }): Promise<SignInLimit | undefined>;
  listSealedKeys(query: { owners: readonly (ProjectId | UserId)[] }): Promise<SealedKey[]>;
  /** Newest first, before the entry with the number `before`. */
  listAuditEntries(query: {
    before?: number | undefined;
    limit: number;
    userId?: UserId | undefined;
    projectId?: ProjectId | undefined;
    action?: string | undefined;
  }): Promise<AuditEntry[]>;
  /** The projects that these ids belong to, for ids of projects, tasks, attempts, executions, messages, queued messages, approvals, comments and grants; unknown ids are left out. */
  locateProjects(query: { ids: readonly string[] }): Promise<Map<string, ProjectId>>;
  /** The project of every task. */
  listTaskProjects(): Promise<{ taskId: TaskId; projectId: ProjectId }[]>;
}

/** Writes users, invitations, tokens and the audit log; all of it or nothing. */
export interface TeamTransaction extends TeamReader {
  /** Inserts, or replaces the user with the same id. Rejects if another user has the address. */
  putUser(user: StoredUser): Promise<void>;
  putUserIdentity(identity: UserIdentity & { at: number }): Promise<void>;
  /** A null role removes the member. */
  setMember(input: { projectId: ProjectId; userId: UserId; role: ProjectRole | null; at: number }): Promise<void>;
  insertInvitation(invitation: Invitation & { codeHash: string }): Promise<void>;
  /** Undefined if it does not exist, was used, or has expired: an invitation is used once. */
  useInvitation(input: { codeHash: string; userId: UserId; at: number }): Promise<Invitation | undefined>;
  /** Returns false if it did not exist. */
  deleteInvitation(query: { id: InvitationId }): Promise<boolean>;
  insertUserSession(session: UserSession & SessionHashes): Promise<void>;
  /** Ends one session, or those of a user except one. Returns how many. */
  deleteUserSessions(query: { id: UserSessionId } | { userId: UserId; except?: UserSessionId | undefined }): Promise<number>;
  insertApiToken(token: ApiToken & { tokenHash: string }): Promise<void>;
  /** One token, those of a user, or that of an execution. */
  deleteApiTokens(query: { id: ApiTokenId } | { userId: UserId } | { executionId: ExecutionId }): Promise<number>;
  /** When a session or a token was used last. */
  markUsed(input: { id: UserSessionId | ApiTokenId; at: number }): Promise<void>;
  insertOneTimeCode(input: { codeHash: string; data: string; expiresAt: number }): Promise<void>;
  /** Its data, once; undefined if it does not exist or has expired. */
  takeOneTimeCode(input: { codeHash: string; at: number }): Promise<string | undefined>;
  putSignInLimit(limit: SignInLimit): Promise<void>;
  deleteSignInLimit(query: { subject: string }): Promise<void>;
  /** A null value removes the key. */
  putSealedKey(key: Omit<SealedKey, "sealed"> & { sealed: string | null }): Promise<void>;
  appendAuditEntry(entry: Omit<AuditEntry, "number">): Promise<void>;
  /** Deletes expired sessions, tokens and codes, and limits that were last changed before `limitsBefore`. */
  purgeExpired(input: { at: number; limitsBefore: number }): Promise<void>;
}
