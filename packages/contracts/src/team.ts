import { z } from "zod";
import { actorSchema } from "./actor.ts";
import { agentLimitsSchema } from "./agent-access.ts";
import { apiTokenIdSchema, executionIdSchema, invitationIdSchema, projectIdSchema, userIdSchema, userSessionIdSchema } from "./ids.ts";
import { jsonValueSchema, timestampSchema } from "./json.ts";

/** What a user may do in a project: a viewer reads, a member works, an owner also decides about trust, settings and members. */
export const projectRoleSchema = z.enum(["viewer", "member", "owner"]);
export type ProjectRole = z.infer<typeof projectRoleSchema>;

/**
 * What an API token may do, within the rights of its user: each scope includes those before it. `approve`: also answer questions of agents,
 * and change what existing attempts may do without asking.
 */
export const tokenScopeSchema = z.enum(["read", "write", "approve", "manage", "admin"]);
export type TokenScope = z.infer<typeof tokenScopeSchema>;

/** Compared without regard to case. */
export const emailSchema = z
  .string()
  .trim()
  .toLowerCase()
  .max(254)
  .regex(/^[^\s@<>]+@[^\s@<>]+$/, "expected an e-mail address");
export const userNameSchema = z
  .string()
  .trim()
  .min(1, "must not be empty")
  .max(100)
  // a name is shown next to what its user did: it must not look like something else
  .refine((name) => !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(name), { error: "must not contain invisible characters" });
/** In UTF-16 units. */
export const shortestPassword = 12;
export const passwordSchema = z.string().min(shortestPassword, `must have at least ${shortestPassword} characters`).max(1000);

/** A user of a server in team mode. */
export const userSchema = z.object({
  id: userIdSchema,
  email: z.string(),
  name: z.string(),
  /** Administrators manage users and the server, and are owners of every project. */
  isAdmin: z.boolean(),
  /** Whether the user can sign in with a password. */
  hasPassword: z.boolean(),
  createdAt: timestampSchema,
  updatedAt: timestampSchema,
  /** A deactivated user cannot sign in; everything that the user did is kept. */
  deactivatedAt: timestampSchema.nullable(),
});
export type User = z.infer<typeof userSchema>;

/** Creates a user; for administrators. */
export const createUserSchema = z.object({
  email: emailSchema,
  name: userNameSchema,
  isAdmin: z.boolean().default(false),
  /** Without one, the user signs in with OpenID Connect, or with an invitation. */
  password: passwordSchema.optional(),
});
export type CreateUser = z.output<typeof createUserSchema>;
/** Changes a user; for administrators. Deactivating ends sessions and tokens. */
export const updateUserSchema = z
  .object({ email: emailSchema, name: userNameSchema, isAdmin: z.boolean(), isActive: z.boolean(), password: passwordSchema })
  .partial();
export type UpdateUser = z.infer<typeof updateUserSchema>;

/** A user's role in a project. */
export const membershipSchema = z.object({ projectId: projectIdSchema, role: projectRoleSchema });
export type Membership = z.infer<typeof membershipSchema>;

/** A member of a project. */
export const memberSchema = z.object({
  user: userSchema.pick({ id: true, name: true, email: true }).extend({ isActive: z.boolean() }),
  role: projectRoleSchema,
});
export type Member = z.infer<typeof memberSchema>;
/** Sets the role of a user in a project. */
export const setMemberSchema = z.object({ role: projectRoleSchema });

/** Users that can become members of a project. */
export const userReferenceSchema = userSchema.pick({ id: true, name: true, email: true });
export type UserReference = z.infer<typeof userReferenceSchema>;

/** An invitation to create a user. Its link can be used once. */
export const invitationSchema = z.object({
  id: invitationIdSchema,
  /** The address of the new user; null: chosen when it is accepted. */
  email: z.string().nullable(),
  isAdmin: z.boolean(),
  projects: z.array(membershipSchema),
  by: actorSchema.exactOptional(),
  createdAt: timestampSchema,
  expiresAt: timestampSchema,
  /** Who accepted it. */
  usedBy: userIdSchema.nullable(),
});
export type Invitation = z.infer<typeof invitationSchema>;
/** Creates an invitation; for administrators. */
export const createInvitationSchema = z.object({
  email: emailSchema.optional(),
  isAdmin: z.boolean().default(false),
  projects: z.array(membershipSchema).max(100).default([]),
  days: z.int().min(1).max(30).default(7),
});
export type CreateInvitation = z.output<typeof createInvitationSchema>;
/** Creates an invitation to one project; for its owners. */
export const inviteToProjectSchema = z.object({
  email: emailSchema.optional(),
  role: projectRoleSchema,
  days: z.int().min(1).max(30).default(7),
});
/** The link is shown once. */
export const createdInvitationSchema = invitationSchema.extend({ url: z.string() });
export type CreatedInvitation = z.infer<typeof createdInvitationSchema>;

/** From the fragment of an invitation's link. */
const codeSchema = z.string().max(200);
/** Asks for an invitation, by the code of its link. */
export const readInvitationSchema = z.object({ code: codeSchema });
/** What the page of an invitation shows before it is accepted. */
export const shownInvitationSchema = z.object({ email: z.string().nullable(), isAdmin: z.boolean(), expiresAt: timestampSchema });
/** Accepts an invitation: creates its user and signs in. */
export const acceptInvitationSchema = z.object({
  code: codeSchema,
  /** Ignored if the invitation has an address. */
  email: emailSchema.optional(),
  name: userNameSchema,
  password: passwordSchema,
});

/** How to sign in: `GET /api/sign-in`. */
export const signInOptionsSchema = z.object({
  /** False: this server has no users; a launch link signs a browser in. */
  team: z.boolean(),
  /** No user exists yet: `skein users create --admin`, or the link that the server printed when it started. */
  needsSetup: z.boolean(),
  /** OpenID Connect providers. */
  providers: z.array(z.object({ id: z.string(), name: z.string() })),
});
export type SignInOptions = z.infer<typeof signInOptionsSchema>;
/** Signs in with a password. */
export const signInSchema = z.object({ email: emailSchema, password: z.string().max(1000) });
/** Starts to sign in with OpenID Connect. */
export const startOidcSchema = z.object({
  /** The code of an invitation to accept. */
  invitation: codeSchema.optional(),
});
/** The page of the provider to open. */
export const oidcStartedSchema = z.object({ url: z.string() });

/** The signed-in user: `GET /api/me`. */
export const meSchema = z.object({
  team: z.boolean(),
  /** Null without users, and for the administrator of the server's machine. */
  user: userSchema.nullable(),
  isAdmin: z.boolean(),
  /** The scope of the API token that was used. */
  scope: tokenScopeSchema.exactOptional(),
  /** Projects that the user is a member of. Administrators may use all others as well. */
  projects: z.array(membershipSchema),
});
/** Changes the signed-in user. */
export const updateMeSchema = z.object({ name: userNameSchema });
/** Changes the password of the signed-in user, and ends all other sessions. */
export const changePasswordSchema = z.object({ current: z.string().max(1000).optional(), password: passwordSchema });

/** A signed-in browser of a user. */
export const userSessionSchema = z.object({
  id: userSessionIdSchema,
  userId: userIdSchema,
  /** The network address that signed in. */
  address: z.string(),
  /** The browser, as it names itself. */
  userAgent: z.string(),
  createdAt: timestampSchema,
  expiresAt: timestampSchema,
  /** Exact to a few minutes. */
  lastUsedAt: timestampSchema,
});
export type UserSession = z.infer<typeof userSessionSchema>;
/** `isCurrent`: the session that asked. */
export const listedSessionSchema = userSessionSchema.extend({ isCurrent: z.boolean() });

/** A token for programs, with the rights of its user up to its scope. */
export const apiTokenSchema = z.object({
  id: apiTokenIdSchema,
  /** Null on a server without users. */
  userId: userIdSchema.nullable(),
  /** The token of an execution's agent: valid while it runs, for its project. */
  executionId: executionIdSchema.nullable(),
  name: z.string(),
  scope: tokenScopeSchema,
  /** Null: all projects of the user. */
  projectIds: z.array(projectIdSchema).nullable(),
  /** What may be started with it. */
  limits: agentLimitsSchema,
  createdAt: timestampSchema,
  expiresAt: timestampSchema,
  /** Exact to a few minutes. */
  lastUsedAt: timestampSchema.nullable(),
});
export type ApiToken = z.infer<typeof apiTokenSchema>;
/** Creates an API token of the signed-in user. */
export const createApiTokenSchema = z.object({
  name: userNameSchema,
  scope: tokenScopeSchema,
  projectIds: z.array(projectIdSchema).min(1).max(100).nullable().default(null),
  days: z.int().min(1).max(366).default(90),
  limits: agentLimitsSchema.partial().prefault({}),
});
export type CreateApiToken = z.output<typeof createApiTokenSchema>;
/** Creates an API token of any user; for administrators. */
export const createTokenOfUserSchema = createApiTokenSchema.extend({
  /** Required on a server with users. */
  userId: userIdSchema.optional(),
});
/** The token is shown once. */
export const createdApiTokenSchema = apiTokenSchema.extend({ token: z.string() });
export type CreatedApiToken = z.infer<typeof createdApiTokenSchema>;

/** Who did what, when and from where. Entries are never changed or deleted. */
export const auditEntrySchema = z.object({
  /** Rises with each entry. */
  number: z.int().positive(),
  at: timestampSchema,
  /** `instance`: with the token of the data dir. `anyone`: without credentials, such as a failed sign-in. */
  caller: z.enum(["user", "instance", "anyone"]),
  by: actorSchema.exactOptional(),
  /** The API token that was used. */
  tokenId: apiTokenIdSchema.exactOptional(),
  /** `user:signed-in` and the like, or the method and path of a request. */
  action: z.string(),
  outcome: z.enum(["done", "refused", "failed"]),
  projectId: projectIdSchema.exactOptional(),
  /** The ids that it concerns. */
  subjects: z.array(z.string()),
  details: jsonValueSchema.exactOptional(),
  address: z.string(),
});
export type AuditEntry = z.infer<typeof auditEntrySchema>;
/** A page of the audit log, newest first. */
export const auditPageSchema = z.object({ entries: z.array(auditEntrySchema), hasMore: z.boolean() });
export type AuditPage = z.infer<typeof auditPageSchema>;

/** A credential that a project or a user can have: of a model provider, or of an agent. */
export const ownedKeyNameSchema = z.enum(["anthropic", "openai", "gemini", "claude-code"]);
export type OwnedKeyName = z.infer<typeof ownedKeyNameSchema>;
/** Whether a key is set; the key itself is never sent. */
export const ownedKeySchema = z.object({ name: ownedKeyNameSchema, isSet: z.boolean(), updatedAt: timestampSchema.nullable() });
export type OwnedKey = z.infer<typeof ownedKeySchema>;
