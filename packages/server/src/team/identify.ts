import type { ApiTokenId, User, UserSessionId } from "@skein/contracts";
import type { Storage, StoredUser } from "@skein/engine";
import type { Logger } from "../logger.ts";
import { hashSecret } from "./hash-secret.ts";
import type { UserCaller } from "./viewer.ts";

const usedEveryMs = 5 * 60 * 1000;

export interface Identify {
  byToken(token: string): Promise<UserCaller | undefined>;
  bySession(given: { cookies: readonly string[]; secret: string }): Promise<UserCaller | undefined>;
}

/** Finds the user of a request. Everything is read from the database each time: what was ended on another server ends here as well. */
export function createIdentify({ storage, now, logger }: { storage: Storage; now: () => number; logger: Logger }): Identify {
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

  return {
    async byToken(secret) {
      if (!secret.startsWith("ska_")) return undefined;
      const token = await read.findApiToken({ tokenHash: hashSecret(secret) });
      const caller = token && (await toCaller(token, { kind: "token", id: token.id, token }));
      if (token !== undefined && caller !== undefined) markUsed(token.id, token.lastUsedAt);
      return caller;
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
