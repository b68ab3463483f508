import type { StoredHost } from "@skein/contracts";
import { StorageConstraintError } from "@skein/engine";
import { describe, expect, it } from "vitest";
import { buildAttempt } from "../builders/build-attempt.ts";
import { buildProject } from "../builders/build-project.ts";
import { buildTask } from "../builders/build-task.ts";
import { testId } from "../builders/test-id.ts";
import { type StorageContract, useStorage } from "./contract-fixture.ts";

const host: StoredHost = {
  ...{ id: testId("hst", 1), kind: "worker", name: "box", tags: ["gpu"], capacity: 4, version: "1", agents: [], state: "invited" },
  ...{ tokenHash: "hash of the code", expiresAt: 5, lastSeenAt: null, connectedNodeId: null, createdAt: 1 },
};

export function describeHosts(contract: StorageContract): void {
  describe("hosts", () => {
    const fixture = useStorage(contract);

    it("[W3] are found by id and by the hash of their secret, which no other has", async () => {
      const { storage } = fixture;
      await storage.transaction((tx) => tx.insertHost(host));
      const active: StoredHost = { ...host, state: "active", tokenHash: "hash of the credential", expiresAt: null, lastSeenAt: 7 };
      await storage.transaction((tx) => tx.updateHost(active));
      expect(await storage.read.findHost({ tokenHash: "hash of the code" })).toBeUndefined();
      expect(await storage.read.findHost({ tokenHash: "hash of the credential" })).toEqual(active);
      expect(await storage.read.findHost({ id: host.id })).toEqual(active);
      const same = { ...active, id: testId("hst", 2) };
      await expect(storage.transaction((tx) => tx.insertHost(same))).rejects.toThrow(StorageConstraintError);
      await expect(storage.transaction((tx) => tx.updateHost({ ...same, tokenHash: "x" }))).rejects.toThrow(StorageConstraintError);
      expect(await storage.read.listHosts()).toEqual([active]);
    });

    it("[W3] an attempt names its host, can be moved, and keeps the host from being deleted", async () => {
      const { storage } = fixture;
      const attempt = buildAttempt({ hostId: host.id });
      await storage.transaction(async (tx) => {
        await tx.insertHost(host);
        await tx.insertProject(buildProject());
        await tx.insertTask(buildTask());
        await tx.insertAttempt(attempt);
        await tx.insertAttempt(buildAttempt({ id: testId("att", 2), number: 2 }));
      });
      expect((await storage.read.listRemoteAttempts()).map(({ id, hostId }) => [id, hostId])).toEqual([[attempt.id, host.id]]);
      await expect(storage.transaction((tx) => tx.deleteHost({ id: host.id }))).rejects.toThrow(StorageConstraintError);
      await expect(storage.transaction((tx) => tx.updateAttempt({ ...attempt, hostId: testId("hst", 9) }))).rejects.toThrow(
        StorageConstraintError,
      );
      await storage.transaction((tx) => tx.updateAttempt({ ...attempt, hostId: null }));
      expect((await storage.read.findAttempt({ id: attempt.id }))?.hostId).toBeUndefined();
      await storage.transaction((tx) => tx.deleteHost({ id: host.id }));
      expect(await storage.read.listHosts()).toEqual([]);
    });
  });
}
