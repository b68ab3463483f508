import type { ApiToken, ApiTokenId, AttemptId, User, UserSessionId } from "@skein/contracts";
import type { Storage, StoredUser } from "@skein/engine";
import { isApiToken } from "../browser-secret.ts";
import type { Logger } from "../logger.ts";
import { hashSecret } from "./hash-secret.ts";
import type { TokenCaller, UserCaller } from "./viewer.ts";

const usedEveryMs = 5 * 60 * 1000;

export interface Identify {
  /** With users, a token belongs to one, except for that of an execution that no user sent. */
  byToken(token: string): Promise<UserCaller | TokenCaller | undefined>;
  /** Whether a token is still valid. */
  isOpen(token: ApiToken): Promise<boolean>;
  bySession(given: { cookies: readonly string[]; secret: string }): Promise<UserCaller | undefined>;
}

/** Finds the user of a request. Everything is read from the database each time: what was ended on another server ends here as well. */
export function createIdentify(context: {
  storage: Storage;
  now: () => number;
  logger: Logger;
  /** Whether the server has users: then a token without one is valid only as that of an execution. */
  hasUsers: boolean;
}): Identify {
  const { storage, now, logger } = context;
  const { read } = storage;
  const markUsed = (id: UserSessionId | ApiTokenId, lastUsedAt: number | null) => {
    const at = now();
    if (lastUsedAt !== null && at - lastUsedAt < usedEveryMs) return;
    storage.transaction((tx) => tx.markUsed({ id, at })).catch((error: unknown) => logger.warn("a use could not be noted", { id, error }));
  };
  const toCaller = async (
    found: { userId: User["id"]; expiresAt: number },
    credential: UserCaller["credential"],
  ): Promise<UserCaller | undefined> => {
    if (found.expiresAt <= now()) return undefined;
    const user = await read.findUser({ id: found.userId });
    if (user === undefined || user.deactivatedAt !== null) return undefined;
    const memberships = await read.listMemberships({ userId: user.id });
    const roles = new Map(memberships.map(({ projectId, role }) => [projectId, role]));
    return { kind: "user", user: toUser(user), roles, credential, expiresAt: found.expiresAt };
  };

  /** The token of an execution is valid while it runs. */
  const findOwner = async ({ executionId }: ApiToken): Promise<{ attemptId?: AttemptId } | undefined> => {
    if (executionId === null) return {};
    const execution = await read.findExecution({ id: executionId });
    return execution?.status === "running" ? { attemptId: execution.attemptId } : undefined;
  };

  return {
    async byToken(secret) {
      if (!isApiToken(secret)) return undefined;
      const token = await read.findApiToken({ tokenHash: hashSecret(secret) });
      const owner = token && (await findOwner(token));
      if (token === undefined || owner === undefined) return undefined;
      const { userId, expiresAt } = token;
      const { attemptId } = owner;
      const caller: UserCaller | TokenCaller | undefined =
        userId === null
          ? expiresAt > now() && (!context.hasUsers || token.executionId !== null)
            ? { kind: "token", token, attemptId, expiresAt }
            : undefined
          : await toCaller({ userId, expiresAt }, { kind: "token", id: token.id, token, attemptId });
      if (caller !== undefined) markUsed(token.id, token.lastUsedAt);
      return caller;
    },
    async isOpen({ id }) {
      const token = await read.findApiToken({ id });
      return token !== undefined && token.expiresAt > now() && (await findOwner(token)) !== undefined;
    },
    async bySession({ cookies, secret }) {
      const secretHash = hashSecret(secret);
      for (const cookie of cookies.slice(0, 5)) {
        const session = await read.findUserSession({ cookieHash: hashSecret(cookie) });
        // hashes are compared: timing reveals nothing about the secrets
        if (session === undefined || session.secretHash !== secretHash) continue;
        const caller = await toCaller(session, { kind: "session", id: session.id });
        if (caller !== undefined) markUsed(session.id, session.lastUsedAt);
        return caller;
      }
      return undefined;
    },
  };
}

/** A user without what only the server may know. */
export function toUser({ passwordHash, ...user }: StoredUser): User {
  return { ...user, hasPassword: passwordHash !== null };
}
