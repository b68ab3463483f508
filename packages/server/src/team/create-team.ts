import { findStorageFault, type UserSession, userIdSchema } from "@skein/contracts";
import { ServiceError, type Storage } from "@skein/engine";
import type { TeamSettings } from "../config/team-settings.ts";
import type { EventHub } from "../events/event-hub.ts";
import type { Logger } from "../logger.ts";
import type { Services } from "../services/services.ts";
import { createAgentRules } from "./agent-rules.ts";
import { createAudit } from "./audit.ts";
import { hashSecret } from "./hash-secret.ts";
import { createIdentify, toUser } from "./identify.ts";
import { createInvitationService } from "./invitations.ts";
import { createOidc, signInCodeSchema } from "./oidc.ts";
import type { OwnedKeys } from "./owned-keys.ts";
import { createPasswords, PasswordsBusyError } from "./passwords.ts";
import { restrictServices } from "./restrict-services.ts";
import { endSessions, openSession, reportAccess } from "./sessions.ts";
import { createSignInLimits } from "./sign-in-limits.ts";
import { openTaskProjects } from "./task-projects.ts";
import type { SignInRequest, SignInResult, TeamService } from "./team-service.ts";
import { createTokenService } from "./tokens.ts";
import { createAccountService, createUserService, getUser } from "./users.ts";
import { toViewer } from "./viewer.ts";

const dayMs = 24 * 60 * 60 * 1000;

export interface TeamOptions {
  storage: Storage;
  hub: EventHub;
  services: Services;
  settings: TeamSettings;
  keys: OwnedKeys;
  logger: Logger;
  now: () => number;
  /** The address of this server, for links. */
  origin: () => string;
}

/** What has expired is ignored anyway: a server starts on a full or read-only disk, too, and the next start removes it. */
async function purgeExpired(options: TeamOptions): Promise<void> {
  const at = options.now();
  await ignoreFault(
    options.storage.transaction((tx) => tx.purgeExpired({ at, limitsBefore: at - dayMs })),
    options,
  );
}

/** Undefined if nothing can be stored now: the server reports that itself. */
async function ignoreFault<Result>(work: Promise<Result>, { logger }: Pick<TeamOptions, "logger">): Promise<Result | undefined> {
  try {
    return await work;
  } catch (error) {
    if (findStorageFault(error) === undefined) throw error;
    logger.warn("what a start of a server with users stores could not be stored", { error });
    return undefined;
  }
}

/** Users of a server in team mode. Loaded only then. */
export async function createTeam(options: TeamOptions): Promise<TeamService> {
  const { storage, services, settings, logger, now } = options;
  const context = { storage, now, passwords: createPasswords(), origin: options.origin, logger };
  const limits = createSignInLimits(context);
  const invitations = createInvitationService(context);
  const tasks = await openTaskProjects(options);
  const rules = createAgentRules(storage);
  await purgeExpired(options);

  const open = (user: Parameters<typeof openSession>[1]["user"], { from, replaces }: SignInRequest): Promise<SignInResult> =>
    storage.transaction(async (tx) => ({ kind: "signed-in", session: await openSession(tx, { user, from, replaces, at: now() }) }));
  const orBusy = (error: unknown): SignInResult => {
    if (error instanceof PasswordsBusyError) return { kind: "busy" };
    throw error;
  };

  return {
    identify: createIdentify({ ...context, hasUsers: true }),
    audit: createAudit(context),
    servicesFor: (caller) => restrictServices(services, toViewer(caller), tasks, rules),
    locateProjects: (ids) => storage.read.locateProjects({ ids }),

    signIns: {
      async options() {
        const needsSetup = (await storage.read.countUsers()) === 0;
        return { team: true, needsSetup, providers: settings.oidc.map(({ id, name }) => ({ id, name })) };
      },
      async link() {
        const page = new URL("/", options.origin()).href;
        if ((await storage.read.countUsers()) > 0) return page;
        return (await ignoreFault(invitations.create({ isAdmin: true, projects: [], days: 1 }, undefined), options))?.url ?? page;
      },
      async withPassword({ email, password, ...request }) {
        const attempt = { email, address: request.from.address };
        const { waitMs } = await limits.begin(attempt);
        if (waitMs > 0) return { kind: "limited", waitMs };
        const user = await storage.read.findUser({ email });
        const checked = await context.passwords.verify(password, user?.passwordHash ?? null).catch(orBusy);
        if (typeof checked === "object") return checked;
        if (!checked || user === undefined || user.deactivatedAt !== null) return { kind: "failed" };
        await limits.succeed(attempt);
        return open(toUser(user), request);
      },
      async withCode({ code, binding, ...request }) {
        const data = await storage.transaction((tx) => tx.takeOneTimeCode({ codeHash: hashSecret(code), at: now() }));
        const stands = data === undefined ? undefined : signInCodeSchema.safeParse(JSON.parse(data)).data;
        if (stands === undefined || stands.binding !== hashSecret(binding)) return { kind: "failed" };
        const user = await getUser(storage.read, userIdSchema.parse(stands.userId));
        return user.deactivatedAt === null ? open(toUser(user), request) : { kind: "failed" };
      },
      async withInvitation({ from, replaces, ...input }) {
        // read first: a password is hashed only for somebody who was invited
        await invitations.read(input.code);
        const user = await invitations.accept(input).catch(orBusy);
        return "kind" in user ? user : open(user, { from, replaces });
      },
      limit: (address) => limits.beginFrom(address),
      async end({ user, credential }, { everywhere }) {
        if (everywhere) await endSessions(storage, { userId: user.id, now });
        else if (credential.kind === "session") await endSessions(storage, { userId: user.id, id: credential.id, now });
      },
    },

    oidc: createOidc({ ...context, providers: settings.oidc }),
    users: createUserService(context),
    account: createAccountService(context),
    invitations,

    sessions: {
      list: (userId) => storage.read.listUserSessions({ userId }).then((sessions) => sessions.filter(isOpen)),
      async end(userId, id) {
        const session = await storage.read.findUserSession({ id });
        if (session?.userId !== userId) throw new ServiceError("not-found", { code: "session-not-found", id });
        await endSessions(storage, { userId, id, now });
      },
      async endAll(userId) {
        await getUser(storage.read, userId);
        await endSessions(storage, { userId, now });
      },
    },

    members: {
      list: (projectId) => storage.read.listMembers({ projectId }),
      async candidates(projectId) {
        const members = new Set((await storage.read.listMembers({ projectId })).map(({ user }) => user.id));
        const users = await storage.read.listUsers();
        return users
          .filter((user) => user.deactivatedAt === null && !members.has(user.id))
          .map(({ id, name, email }) => ({ id, name, email }));
      },
      set: (projectId, userId, role) =>
        storage.transaction(async (tx) => {
          await getUser(tx, userId);
          await tx.setMember({ projectId, userId, role, at: now() });
          await reportAccess(tx, userId, now());
          return tx.listMembers({ projectId });
        }),
    },

    tokens: createTokenService(context),

    keys: options.keys.service,

    async auditLog({ limit, ...query }) {
      const entries = await storage.read.listAuditEntries({ ...query, limit: limit + 1 });
      return { entries: entries.slice(0, limit), hasMore: entries.length > limit };
    },
  };

  function isOpen({ expiresAt }: Pick<UserSession, "expiresAt">): boolean {
    return expiresAt > now();
  }
}
