import type { JsonValue } from "@skein/contracts";
import { type SnapshotEntry, StorageConstraintError, type StorageTransaction } from "@skein/engine";
import { describe, expect, it } from "vitest";
import { buildProject } from "../builders/build-project.ts";
import { buildStoredMessage } from "../builders/build-stored-message.ts";
import { testId, testTime } from "../builders/test-id.ts";
import {
  attempt,
  buildNumberedMessage,
  execution,
  insertRunningExecution,
  listConversationIds,
  ofAttempt,
  ofExecution,
  project,
  type StorageContract,
  useStorage,
} from "./contract-fixture.ts";

async function ingest(tx: StorageTransaction, number: number): Promise<void> {
  const message = buildNumberedMessage(number);
  await tx.putMessages([buildStoredMessage({ id: testId("msg", number), position: number })]);
  await tx.putConversationMessages({ ...ofExecution, messages: [message] });
  await tx.setIngestPosition({ executionId: execution.id, offset: number * 100, ingestState: { number }, entries: [] });
  await tx.appendEvent({ type: "message:added", ...ofAttempt, message }, testTime);
}

export function describeTransactions(contract: StorageContract): void {
  describe("transactions", () => {
    const fixture = useStorage(contract);

    async function readAll() {
      const { read } = fixture.storage;
      return {
        messages: (await read.listMessages({ attemptId: attempt.id })).map(({ id }) => id),
        conversation: await listConversationIds(fixture.storage),
        position: await read.getIngestPosition({ executionId: execution.id }),
        events: (await read.listEvents({ after: 0, limit: 100 })).map(({ event }) => event.type),
      };
    }

    it("[E6] messages, conversation messages, events and the log offset are committed together", async () => {
      await fixture.storage.transaction(insertRunningExecution);
      await fixture.storage.transaction((tx) => ingest(tx, 1));
      expect(await readAll()).toEqual({
        messages: ["msg_0001"],
        conversation: ["msg_0001"],
        position: { offset: 100, ingestState: { number: 1 }, entries: [] },
        events: ["message:added"],
      });
    });

    it("[T5] parts of the reader's state are stored one by one, the last changed one at the end, and are deleted when the execution ends", async () => {
      const { storage } = fixture;
      await storage.transaction(insertRunningExecution);
      const write = (entries: SnapshotEntry[], ingestState: JsonValue | null = {}) =>
        storage.transaction((tx) => tx.setIngestPosition({ executionId: execution.id, offset: 1, ingestState, entries }));
      const read = async () => (await storage.read.getIngestPosition({ executionId: execution.id })).entries;
      await write([
        ["a", 1],
        ["b", { deep: [2] }],
        ["c", 3],
      ]);
      await write([
        ["a", "changed"],
        ["c", null],
        ["never", null],
      ]);
      expect(await read()).toEqual([
        ["b", { deep: [2] }],
        ["a", "changed"],
      ]);
      await write([], null);
      expect(await read()).toEqual([]);
    });

    it("[E6] work that fails stores none of the four, and publishes nothing", async () => {
      await fixture.storage.transaction(insertRunningExecution);
      const failing = fixture.storage.transaction(async (tx) => {
        await ingest(tx, 1);
        throw new Error("the work failed");
      });
      await expect(failing).rejects.toThrow("the work failed");
      expect(await readAll()).toEqual({
        messages: [],
        conversation: [],
        position: { offset: 0, ingestState: null, entries: [] },
        events: [],
      });
      expect(fixture.published).toEqual([]);
    });

    it("work that fails does not affect other work in the same commit", async () => {
      await fixture.storage.transaction(insertRunningExecution);
      const results = await Promise.allSettled([
        fixture.storage.transaction((tx) => ingest(tx, 1)),
        fixture.storage.transaction(async (tx) => {
          await ingest(tx, 2);
          await tx.insertProject(project);
        }),
        fixture.storage.transaction((tx) => ingest(tx, 3)),
      ]);
      expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
      expect(results[1]).toMatchObject({ reason: expect.any(StorageConstraintError) });
      expect(await readAll()).toMatchObject({
        messages: ["msg_0001", "msg_0003"],
        conversation: ["msg_0001", "msg_0003"],
        position: { offset: 300 },
        events: ["message:added", "message:added"],
      });
    });

    it("work sees what it wrote itself; others see it only after the commit", async () => {
      let seenOutside: unknown;
      const seenInside = await fixture.storage.transaction(async (tx) => {
        await tx.insertProject(project);
        seenOutside = await fixture.storage.read.findProject({ id: project.id });
        return tx.findProject({ id: project.id });
      });
      expect(seenInside).toEqual(project);
      expect(seenOutside).toBeUndefined();
      expect(await fixture.storage.read.findProject({ id: project.id })).toEqual(project);
    });

    it("work that follows another sees what it wrote, although they share a commit", async () => {
      const [, seen] = await Promise.all([
        fixture.storage.transaction((tx) => tx.insertProject(project)),
        fixture.storage.transaction((tx) => tx.listProjects()),
      ]);
      expect(seen).toEqual([project]);
    });

    it("patient work is committed with the work that cannot wait", async () => {
      const done: string[] = [];
      const patient = fixture.storage
        .transaction((tx) => tx.insertProject(project), { patienceMs: 3_600_000 })
        .then(() => done.push("patient"));
      const hasty = fixture.storage
        .transaction((tx) => tx.insertProject(buildProject({ id: testId("prj", 2) })))
        .then(() => done.push("hasty"));
      await Promise.all([patient, hasty]);
      expect(done).toEqual(["patient", "hasty"]);
    });

    it("patient work is committed on its own when nothing else follows", async () => {
      await fixture.storage.transaction((tx) => tx.insertProject(project), { patienceMs: 5 });
      expect(await fixture.storage.read.listProjects()).toEqual([project]);
    });

    it("a transaction cannot be used after its work is over", async () => {
      let leaked: StorageTransaction | undefined;
      await fixture.storage.transaction(async (tx) => {
        leaked = tx;
      });
      await expect(leaked?.insertProject(project)).rejects.toThrow("The transaction is over");
      expect(await fixture.storage.read.listProjects()).toEqual([]);
    });

    it("close commits pending work, and refuses later work", async () => {
      const { storage } = fixture;
      const waiting = storage.transaction((tx) => tx.insertProject(project), { patienceMs: 3_600_000 });
      await storage.close();
      await expect(waiting).resolves.toBeUndefined();
      await expect(storage.transaction((tx) => tx.insertProject(project))).rejects.toThrow("closed");
    });

    it("a snapshot sees one point in time, and others keep reading the newest state", async () => {
      const other = buildProject({ id: testId("prj", 2) });
      await fixture.storage.transaction((tx) => tx.insertProject(project));
      const seen = await fixture.storage.snapshot(async (reader) => {
        const before = await reader.listProjects();
        await fixture.storage.transaction((tx) => tx.insertProject(other));
        return { before, after: await reader.listProjects(), outside: await fixture.storage.read.listProjects() };
      });
      expect(seen.before).toEqual([project]);
      expect(seen.after).toEqual([project]);
      expect(seen.outside).toHaveLength(2);
    });

    it("snapshots run in parallel, and one that fails does not affect the others", async () => {
      const failing = fixture.storage.snapshot(async (reader) => {
        await reader.listProjects();
        throw new Error("cannot continue");
      });
      const results = await Promise.allSettled([
        failing,
        fixture.storage.snapshot((reader) => reader.listProjects()),
        fixture.storage.snapshot((reader) => reader.getLastSeq()),
      ]);
      expect(results.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "fulfilled"]);
      expect(await fixture.storage.snapshot((reader) => reader.listProjects())).toEqual([]);
    });
  });
}
