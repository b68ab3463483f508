import { createId, type User, type UserId, type UserSessionId } from "@skein/contracts";
import type { Storage, StorageTransaction } from "@skein/engine";
import { createSecret } from "../browser-secret.ts";
import { hashSecret } from "./hash-secret.ts";

/** Counted from sign-in, not from the last use. */
export const userSessionLifetimeMs: number = 30 * 24 * 60 * 60 * 1000;
const maxSessionsPerUser = 50;

/** Where a request comes from. */
export interface Origin {
  address: string;
  userAgent: string;
}

/** Both secrets of a new session, which are not stored. */
export interface NewSession {
  id: UserSessionId;
  user: User;
  cookie: string;
  secret: string;
  expiresAt: number;
}

/** Signs a user in: a new session each time, so that nobody can prepare one for somebody else. */
export async function openSession(
  tx: StorageTransaction,
  { user, from, at, replaces }: { user: User; from: Origin; at: number; replaces: UserSessionId | undefined },
): Promise<NewSession> {
  const replaced = replaces && (await tx.findUserSession({ id: replaces }));
  if (replaced !== undefined) {
    await tx.deleteUserSessions({ id: replaced.id });
    await reportAccess(tx, replaced.userId, at);
  }
  const open = await tx.listUserSessions({ userId: user.id });
  for (const { id } of open.slice(0, Math.max(0, open.length - maxSessionsPerUser + 1))) await tx.deleteUserSessions({ id });
  const session = { id: createId("ses", at), cookie: createSecret("cookie"), secret: createSecret("session") };
  const expiresAt = at + userSessionLifetimeMs;
  await tx.insertUserSession({
    ...{ id: session.id, userId: user.id, cookieHash: hashSecret(session.cookie), secretHash: hashSecret(session.secret) },
    ...{ address: from.address, userAgent: from.userAgent.slice(0, 300), createdAt: at, expiresAt, lastUsedAt: at },
  });
  return { ...session, user, expiresAt };
}

/** Event streams of the user end, on every server; those that may still be open are opened again. */
export async function reportAccess(tx: StorageTransaction, userId: UserId, at: number): Promise<void> {
  await tx.appendEvent({ type: "access:changed", userId }, at);
}

/** Ends sessions and reports it. Returns how many have ended. */
export function endSessions(
  storage: Storage,
  { userId, now, ...which }: { userId: UserId; now: () => number } & ({ id: UserSessionId } | { except?: UserSessionId | undefined }),
): Promise<number> {
  return storage.transaction(async (tx) => {
    const ended = await tx.deleteUserSessions("id" in which ? { id: which.id } : { userId, except: which.except });
    if (ended > 0) await reportAccess(tx, userId, now());
    return ended;
  });
}
