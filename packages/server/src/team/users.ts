import { type CreateUser, createId, type UserId } from "@skein/contracts";
import { ServiceError, type Storage, StorageConstraintError, type StorageTransaction, type StoredUser } from "@skein/engine";
import { toUser } from "./identify.ts";
import type { Passwords } from "./passwords.ts";
import { reportAccess } from "./sessions.ts";
import type { TeamService } from "./team-service.ts";

export interface TeamContext {
  storage: Storage;
  now: () => number;
  passwords: Passwords;
}

/** Throws a `ServiceError` if there is no such user. */
export async function getUser(reader: Pick<StorageTransaction, "findUser">, id: UserId): Promise<StoredUser> {
  const user = await reader.findUser({ id });
  if (user === undefined) throw new ServiceError("not-found", { code: "user-not-found", id });
  return user;
}

/** Rejects an address that another user has. */
export async function putUser(tx: StorageTransaction, user: StoredUser): Promise<void> {
  try {
    await tx.putUser(user);
  } catch (error) {
    if (error instanceof StorageConstraintError) throw new ServiceError("conflict", { code: "email-taken", email: user.email });
    throw error;
  }
}

export function toNewUser(input: Omit<CreateUser, "password"> & { passwordHash: string | null }, at: number): StoredUser {
  return { id: createId("usr", at), ...input, createdAt: at, updatedAt: at, deactivatedAt: null };
}

/** A server without an administrator could only be managed on its machine. */
async function refuseLastAdmin(tx: StorageTransaction, changed: StoredUser): Promise<void> {
  const isAdmin = (user: StoredUser) => user.isAdmin && user.deactivatedAt === null;
  if (isAdmin(changed)) return;
  const users = await tx.listUsers();
  const before = users.find(({ id }) => id === changed.id);
  if (before === undefined || !isAdmin(before)) return;
  if (!users.some((user) => user.id !== changed.id && isAdmin(user))) throw new ServiceError("conflict", { code: "last-admin" });
}

export function createUserService({ storage, now, passwords }: TeamContext): TeamService["users"] {
  return {
    list: async () => (await storage.read.listUsers()).map(toUser),
    async create({ password, ...input }) {
      const passwordHash = password === undefined ? null : await passwords.hash(password);
      return storage.transaction(async (tx) => {
        const user = toNewUser({ ...input, passwordHash }, now());
        await putUser(tx, user);
        return toUser(user);
      });
    },
    async update(id, { password, isActive, ...changes }) {
      const passwordHash = password === undefined ? undefined : await passwords.hash(password);
      return storage.transaction(async (tx) => {
        const at = now();
        const before = await getUser(tx, id);
        const deactivatedAt = isActive === undefined ? before.deactivatedAt : isActive ? null : (before.deactivatedAt ?? at);
        const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
        const user: StoredUser = { ...before, ...given, passwordHash: passwordHash ?? before.passwordHash, deactivatedAt, updatedAt: at };
        await refuseLastAdmin(tx, user);
        await putUser(tx, user);
        if (deactivatedAt !== null) await tx.deleteApiTokens({ userId: id });
        if (deactivatedAt !== null || passwordHash !== undefined) await tx.deleteUserSessions({ userId: id });
        await reportAccess(tx, id, at);
        return toUser(user);
      });
    },
    get: async (id) => toUser(await getUser(storage.read, id)),
  };
}

/** The signed-in user's own account. */
export function createAccountService({ storage, now, passwords }: TeamContext): TeamService["account"] {
  return {
    rename: (id, name) =>
      storage.transaction(async (tx) => {
        const user = { ...(await getUser(tx, id)), name, updatedAt: now() };
        await putUser(tx, user);
        return toUser(user);
      }),
    async changePassword(id, { current, password, session }) {
      const { passwordHash: before } = await getUser(storage.read, id);
      // a user who signed in with OpenID Connect may set a first password
      if (before !== null && !(await passwords.verify(current ?? "", before))) {
        throw new ServiceError("forbidden", { code: "password-wrong" });
      }
      const passwordHash = await passwords.hash(password);
      await storage.transaction(async (tx) => {
        const at = now();
        await putUser(tx, { ...(await getUser(tx, id)), passwordHash, updatedAt: at });
        await tx.deleteUserSessions({ userId: id, except: session });
        await reportAccess(tx, id, at);
      });
    },
  };
}
