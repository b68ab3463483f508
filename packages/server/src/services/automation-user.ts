import { type Actor, type ProjectId, userIdSchema } from "@skein/contracts";
import { ServiceError, type StorageReader } from "@skein/engine";

/** What a user set up runs with the user's rights: it ends with them. Throws `automation-user-lost`. */
export async function checkAutomationUser(reader: StorageReader, projectId: ProjectId, by: Actor | undefined): Promise<void> {
  const userId = userIdSchema.safeParse(by?.id).data;
  if (by === undefined || userId === undefined) return;
  const user = await reader.findUser({ id: userId });
  const role = (await reader.listMemberships({ userId })).find((membership) => membership.projectId === projectId)?.role;
  const mayWork = user?.isAdmin === true || role === "member" || role === "owner";
  if (user === undefined || user.deactivatedAt !== null || !mayWork) {
    throw new ServiceError("forbidden", { code: "automation-user-lost", name: by.name });
  }
}
