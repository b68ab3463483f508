import { createId, type Invitation, type User } from "@skein/contracts";
import { ServiceError, type StorageTransaction, type StoredUser } from "@skein/engine";
import { createSecret } from "../browser-secret.ts";
import { hashSecret } from "./hash-secret.ts";
import { toUser } from "./identify.ts";
import { reportAccess } from "./sessions.ts";
import type { TeamService } from "./team-service.ts";
import { putUser, type TeamContext, toNewUser } from "./users.ts";

const dayMs = 24 * 60 * 60 * 1000;

export function createInvitationService(context: TeamContext & { origin: () => string }): TeamService["invitations"] {
  const { storage, now, passwords } = context;
  return {
    list: (query) => storage.read.listInvitations(query),
    async create({ email = null, isAdmin, projects, days }, by) {
      const at = now();
      const code = createSecret("invitation");
      const invitation: Invitation = {
        ...{ id: createId("inv", at), email, isAdmin, projects, ...(by === undefined ? {} : { by }) },
        ...{ createdAt: at, expiresAt: at + days * dayMs, usedBy: null },
      };
      await storage.transaction(async (tx) => {
        for (const { projectId } of projects) {
          if ((await tx.findProject({ id: projectId })) === undefined)
            throw new ServiceError("not-found", { code: "project-not-found", id: projectId });
        }
        await tx.insertInvitation({ ...invitation, codeHash: hashSecret(code) });
      });
      // browsers do not send fragments to servers: the code appears in no log and no Referer header
      return { ...invitation, url: new URL(`/invite#${code}`, context.origin()).href };
    },
    async remove(id) {
      if (await storage.transaction((tx) => tx.deleteInvitation({ id }))) return;
      throw new ServiceError("not-found", { code: "invitation-not-found", id });
    },
    async read(code) {
      const invitation = await storage.read.findInvitation({ codeHash: hashSecret(code) });
      if (invitation === undefined || invitation.usedBy !== null || invitation.expiresAt <= now()) throw invalidInvitation();
      const { email, isAdmin, expiresAt } = invitation;
      return { email, isAdmin, expiresAt };
    },
    async accept({ code, email, name, password }) {
      const passwordHash = await passwords.hash(password);
      return storage.transaction((tx) => acceptInvitation(tx, { code, email, name, passwordHash, at: now() }));
    },
  };
}

/** Creates the invited user. All or nothing: an invitation whose user could not be created can be used again. */
export async function acceptInvitation(
  tx: StorageTransaction,
  {
    code,
    email,
    name,
    passwordHash,
    at,
  }: { code: string; email: string | undefined; name: string; passwordHash: string | null; at: number },
): Promise<User> {
  const draft: StoredUser = toNewUser({ email: email ?? "", name, isAdmin: false, passwordHash }, at);
  const invitation = await tx.useInvitation({ codeHash: hashSecret(code), userId: draft.id, at });
  if (invitation === undefined) throw invalidInvitation();
  const address = invitation.email ?? email;
  if (address === undefined) throw new ServiceError("invalid", { code: "invitation-needs-email" });
  const user: StoredUser = { ...draft, email: address, isAdmin: invitation.isAdmin };
  await putUser(tx, user);
  for (const { projectId, role } of invitation.projects) await tx.setMember({ projectId, userId: user.id, role, at });
  await reportAccess(tx, user.id, at);
  return toUser(user);
}

function invalidInvitation(): ServiceError {
  return new ServiceError("forbidden", { code: "invitation-not-valid" });
}
