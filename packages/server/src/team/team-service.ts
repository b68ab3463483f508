import type {
  Actor,
  AgentLimits,
  ApiToken,
  ApiTokenId,
  AuditPage,
  acceptInvitationSchema,
  CreateApiToken,
  CreatedApiToken,
  CreatedInvitation,
  CreateInvitation,
  CreateUser,
  Invitation,
  InvitationId,
  Member,
  OwnedKey,
  OwnedKeyName,
  ProjectId,
  ProjectRole,
  RunningExecution,
  SignInOptions,
  shownInvitationSchema,
  UpdateUser,
  User,
  UserId,
  UserReference,
  UserSession,
  UserSessionId,
} from "@skein/contracts";
import type { z } from "zod";
import type { Services } from "../services/services.ts";
import type { Audit } from "./audit.ts";
import type { Identify } from "./identify.ts";
import type { NewSession, Origin } from "./sessions.ts";
import type { TokenCaller, UserCaller } from "./viewer.ts";

/** Why a sign-in did not succeed. `failed` does not reveal whether the account exists. */
export type SignInResult =
  | { kind: "signed-in"; session: NewSession }
  | { kind: "failed" }
  | { kind: "limited"; waitMs: number }
  | { kind: "busy" };

/** The browser session that a sign-in replaces, and where the request comes from. */
export interface SignInRequest {
  from: Origin;
  replaces: UserSessionId | undefined;
}

/** API tokens. Methods reject with `ServiceError`. */
export interface TokenService {
  /** Of one user, or all; without those of executions. */
  list(query?: { userId?: UserId }): Promise<ApiToken[]>;
  /** Null: on a server without users. */
  create(userId: UserId | null, input: CreateApiToken): Promise<CreatedApiToken>;
  /** A token for the agent of an execution, valid while it runs. */
  createForExecution(execution: RunningExecution, options: { name: string; projectId: ProjectId; limits: AgentLimits }): Promise<string>;
  /** With `userId`, rejects for a token of another user. */
  remove(id: ApiTokenId, options?: { userId?: UserId }): Promise<void>;
}

/** Users, their rights and what they did, on a server in team mode. Methods reject with `ServiceError`. */
export interface TeamService {
  identify: Identify;
  audit: Audit;
  /** The services as this user sees them. */
  servicesFor(caller: UserCaller | TokenCaller): Services;
  locateProjects(ids: readonly string[]): Promise<Map<string, ProjectId>>;
  signIns: {
    options(): Promise<SignInOptions>;
    /** Where users sign in. Without any, an invitation for the first administrator, valid for a day. */
    link(): Promise<string>;
    withPassword(input: { email: string; password: string } & SignInRequest): Promise<SignInResult>;
    /** Signs in with the code that `oidc.complete` returned, in the browser that started it. */
    withCode(input: { code: string; binding: string } & SignInRequest): Promise<SignInResult>;
    withInvitation(input: z.output<typeof acceptInvitationSchema> & SignInRequest): Promise<SignInResult>;
    /** Limits the rate at which codes are tried: they cannot be guessed, but checking them must stay cheap. */
    limit(address: string): Promise<{ waitMs: number }>;
    end(caller: UserCaller, options: { everywhere: boolean }): Promise<void>;
  };
  oidc: {
    /** The provider's page to open, and a secret for a cookie of the browser. */
    start(provider: string, options: { invitation: string | undefined }): Promise<{ url: string; binding: string }>;
    /** Checks what the provider sent. Returns a code that signs the browser in, once. */
    complete(provider: string, input: { url: URL; binding: string }): Promise<{ code: string }>;
  };
  users: {
    list(): Promise<User[]>;
    get(id: UserId): Promise<User>;
    create(input: CreateUser): Promise<User>;
    /** Deactivating ends sessions, streams and tokens; a new password ends sessions. */
    update(id: UserId, changes: UpdateUser): Promise<User>;
  };
  account: {
    rename(id: UserId, name: string): Promise<User>;
    /** Ends all other sessions. */
    changePassword(id: UserId, input: { current: string | undefined; password: string; session: UserSessionId | undefined }): Promise<void>;
  };
  sessions: {
    list(userId: UserId): Promise<UserSession[]>;
    /** Rejects with `session-not-found` for a session of another user. */
    end(userId: UserId, id: UserSessionId): Promise<void>;
    endAll(userId: UserId): Promise<void>;
  };
  members: {
    list(projectId: ProjectId): Promise<Member[]>;
    candidates(projectId: ProjectId): Promise<UserReference[]>;
    set(projectId: ProjectId, userId: UserId, role: ProjectRole | null): Promise<Member[]>;
  };
  invitations: {
    list(query?: { projectId?: ProjectId }): Promise<Invitation[]>;
    create(input: CreateInvitation, by: Actor | undefined): Promise<CreatedInvitation>;
    remove(id: InvitationId): Promise<void>;
    /** Rejects with `invitation-not-valid`. */
    read(code: string): Promise<z.output<typeof shownInvitationSchema>>;
    accept(input: z.output<typeof acceptInvitationSchema>): Promise<User>;
  };
  tokens: TokenService;
  keys: {
    list(owner: ProjectId | UserId): Promise<OwnedKey[]>;
    set(owner: ProjectId | UserId, name: OwnedKeyName, key: string | null): Promise<OwnedKey>;
  };
  auditLog(query: {
    before?: number | undefined;
    limit: number;
    userId?: UserId | undefined;
    projectId?: ProjectId | undefined;
    action?: string | undefined;
  }): Promise<AuditPage>;
}
