import { apiTokenIdSchema, invitationIdSchema, projectIdSchema, userIdSchema, userSessionIdSchema } from "@skein/contracts";
import { StorageConstraintError } from "@skein/engine";
import { describe, expect, it } from "vitest";
import { attempt, execution, insertRunningExecution, project, type StorageContract, task, useStorage } from "./contract-fixture.ts";

const userId = userIdSchema.parse("usr_0001");
const user = {
  ...{ id: userId, email: "ada@example.com", name: "Ada", isAdmin: true, passwordHash: "scrypt$1", createdAt: 1, updatedAt: 1 },
  deactivatedAt: null,
};

export function describeTeam(contract: StorageContract): void {
  describe("users", () => {
    const fixture = useStorage(contract);

    it("[W5] an address belongs to one user; a user is found by id, address and identity", async () => {
      const { storage } = fixture;
      await storage.transaction(async (tx) => {
        await tx.putUser(user);
        await tx.putUserIdentity({ issuer: "https://id.example", subject: "1", userId, at: 2 });
      });
      const other = storage.transaction((tx) => tx.putUser({ ...user, id: userIdSchema.parse("usr_0002") }));
      await expect(other).rejects.toThrow(StorageConstraintError);
      await storage.transaction((tx) => tx.putUser({ ...user, name: "Ada L.", deactivatedAt: 9 }));
      const changed = { ...user, name: "Ada L.", deactivatedAt: 9 };
      for (const query of [{ id: userId }, { email: user.email }, { issuer: "https://id.example", subject: "1" }]) {
        expect(await storage.read.findUser(query)).toEqual(changed);
      }
      expect(await storage.read.findUser({ issuer: "https://other.example", subject: "1" })).toBeUndefined();
      expect([await storage.read.countUsers(), await storage.read.listUsers()]).toEqual([1, [changed]]);
    });

    it("[W5] a role is set, changed and removed, and outlives its project", async () => {
      const { storage } = fixture;
      await storage.transaction(async (tx) => {
        await tx.insertProject(project);
        await tx.putUser(user);
        await tx.setMember({ projectId: project.id, userId, role: "viewer", at: 1 });
        await tx.setMember({ projectId: project.id, userId, role: "owner", at: 2 });
      });
      const { id, name, email } = user;
      expect(await storage.read.listMembers({ projectId: project.id })).toEqual([
        { user: { id, name, email, isActive: true }, role: "owner" },
      ]);
      await storage.transaction((tx) => tx.deleteProject({ id: project.id }));
      expect(await storage.read.listMemberships({ userId })).toEqual([{ projectId: project.id, role: "owner" }]);
      await storage.transaction((tx) => tx.setMember({ projectId: project.id, userId, role: null, at: 3 }));
      expect(await storage.read.listMemberships({ userId })).toEqual([]);
    });

    it("[W5] an invitation is used once, before it expires", async () => {
      const { storage } = fixture;
      const invitation = {
        ...{ id: invitationIdSchema.parse("inv_0001"), email: null, isAdmin: false, createdAt: 1, expiresAt: 10, usedBy: null },
        projects: [{ projectId: projectIdSchema.parse("prj_0001"), role: "member" as const }],
      };
      await storage.transaction((tx) => tx.insertInvitation({ ...invitation, codeHash: "h" }));
      const use = (at: number) => storage.transaction((tx) => tx.useInvitation({ codeHash: "h", userId, at }));
      expect(await use(10)).toBeUndefined();
      expect(await use(9)).toEqual({ ...invitation, usedBy: userId });
      expect(await use(9)).toBeUndefined();
      expect(await storage.read.listInvitations({ projectId: projectIdSchema.parse("prj_other") })).toEqual([]);
    });

    it("[W5] sessions, tokens and codes end; a code is taken once", async () => {
      const { storage } = fixture;
      const session = {
        ...{ id: userSessionIdSchema.parse("ses_0001"), userId, address: "::1", userAgent: "x", createdAt: 1, expiresAt: 5, lastUsedAt: 1 },
        ...{ cookieHash: "c", secretHash: "s" },
      };
      const token = {
        ...{ id: apiTokenIdSchema.parse("tok_0001"), userId, name: "ci", scope: "read" as const, projectIds: [project.id] },
        ...{ executionId: null, limits: { depth: 1, starts: null, costUsd: 2.5 } },
        ...{ createdAt: 1, expiresAt: 50, lastUsedAt: null },
      };
      await storage.transaction(async (tx) => {
        await tx.putUser(user);
        await tx.insertUserSession(session);
        await tx.insertApiToken({ ...token, tokenHash: "t" });
        await tx.insertOneTimeCode({ codeHash: "o", data: "1", expiresAt: 5 });
        await tx.insertOneTimeCode({ codeHash: "late", data: "1", expiresAt: 5 });
        await tx.putSignInLimit({ subject: "a", failures: 1, blockedUntil: 2, updatedAt: 3 });
      });
      expect(await storage.read.findUserSession({ cookieHash: "c" })).toEqual(session);
      await storage.transaction((tx) => tx.markUsed({ id: token.id, at: 7 }));
      expect(await storage.read.findApiToken({ tokenHash: "t" })).toEqual({ ...token, lastUsedAt: 7 });
      const take = (codeHash: string, at: number) => storage.transaction((tx) => tx.takeOneTimeCode({ codeHash, at }));
      expect([await take("o", 4), await take("o", 4), await take("late", 5)]).toEqual(["1", undefined, undefined]);
      await storage.transaction((tx) => tx.purgeExpired({ at: 20, limitsBefore: 4 }));
      expect(await storage.read.findUserSession({ id: session.id })).toBeUndefined();
      expect(await storage.read.findSignInLimit({ subject: "a" })).toBeUndefined();
      expect(await storage.read.listApiTokens({ userId })).toHaveLength(1);
      expect(await storage.transaction((tx) => tx.deleteApiTokens({ userId }))).toBe(1);
    });

    it("[W5] the audit log is only appended to", async () => {
      const { storage } = fixture;
      const entry = {
        caller: "user" as const,
        by: { id: userId, name: "Ada" },
        action: "x",
        outcome: "done" as const,
        subjects: ["prj_1"],
        address: "::1",
      };
      await storage.transaction(async (tx) => {
        await tx.appendAuditEntry({ ...entry, at: 1, details: { role: "owner" } });
        await tx.appendAuditEntry({ ...entry, at: 2, action: "y", projectId: project.id });
      });
      const all = await storage.read.listAuditEntries({ limit: 10 });
      expect(all.map(({ action }) => action)).toEqual(["y", "x"]);
      expect(all[1]).toMatchObject({ ...entry, at: 1, details: { role: "owner" } });
      expect(await storage.read.listAuditEntries({ limit: 10, before: all[0]?.number })).toEqual(all.slice(1));
      expect(await storage.read.listAuditEntries({ limit: 10, projectId: project.id })).toEqual(all.slice(0, 1));
    });

    it("[X21] the project of every kind of id is found", async () => {
      const { storage } = fixture;
      await storage.transaction(insertRunningExecution);
      const ids = [project.id, task.id, attempt.id, execution.id, "tsk_unknown", "nonsense", "msg_none"];
      const found = await storage.read.locateProjects({ ids });
      expect([...found].sort()).toEqual([project.id, task.id, attempt.id, execution.id].map((id) => [id, project.id]).sort());
      expect(await storage.read.listTaskProjects()).toEqual([{ taskId: task.id, projectId: project.id }]);
      expect(await storage.read.listTasks({ projectIds: [] })).toEqual([]);
      expect(await storage.read.findIds({ prefix: "att_", limit: 5, projectIds: [] })).toEqual([]);
      expect(await storage.read.findIds({ prefix: "att_", limit: 5, projectIds: [project.id] })).toEqual([attempt.id]);
      expect(await storage.read.search({ text: task.title, limit: 5, projectIds: [] })).toEqual([]);
      expect(await storage.read.search({ text: task.title, limit: 5, projectIds: [project.id] })).not.toEqual([]);
    });

    it("[W5] who did what is stored with the name at that time", async () => {
      const { storage } = fixture;
      const by = { id: userId, name: "Ada" };
      await storage.transaction(async (tx) => {
        await tx.insertProject(project);
        await tx.insertTask({ ...task, by });
        await tx.insertAttempt({ ...attempt, by });
        await tx.insertExecution({ ...execution, by });
        await tx.updateTask({ ...task, title: "Renamed" });
      });
      expect((await storage.read.findTask({ id: task.id }))?.by).toEqual(by);
      expect((await storage.read.findAttempt({ id: attempt.id }))?.by).toEqual(by);
      expect((await storage.read.findExecution({ id: execution.id }))?.by).toEqual(by);
    });
  });
}
