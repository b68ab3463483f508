import type { Storage } from "@skein/engine";
import { describe, expect, it } from "vitest";
import { buildApproval } from "../builders/build-approval.ts";
import { buildQueuedMessage } from "../builders/build-queued-message.ts";
import { buildStoredMessage } from "../builders/build-stored-message.ts";
import { buildSummary } from "../builders/build-summary.ts";
import {
  attempt,
  buildNumberedMessage,
  execution,
  insertRunningExecution,
  listConversationIds,
  ofExecution,
  project,
  type StorageContract,
  task,
  useStorage,
} from "./contract-fixture.ts";

async function fill(storage: Storage): Promise<void> {
  await storage.transaction(async (tx) => {
    await insertRunningExecution(tx);
    await tx.putMessages([buildStoredMessage()]);
    await tx.putConversationMessages({ ...ofExecution, messages: [buildNumberedMessage(1)] });
    await tx.setIngestPosition({ executionId: execution.id, offset: 9, ingestState: null, entries: [] });
    await tx.insertQueuedMessage(buildQueuedMessage());
    await tx.insertApproval(buildApproval());
    await tx.putSummary(buildSummary());
  });
}

async function listWhatIsLeft(storage: Storage) {
  const { read } = storage;
  const lists = {
    executions: await read.listExecutions({ attemptId: attempt.id }),
    messages: await read.listMessages({ attemptId: attempt.id }),
    conversation: await listConversationIds(storage),
    queue: await read.listQueuedMessages({ attemptId: attempt.id }),
    approvals: await read.listApprovals({}),
    hits: await read.search({ text: "Message", limit: 10 }),
  };
  const summary = await read.findActiveSummary({ attemptId: attempt.id });
  const { offset } = await read.getIngestPosition({ executionId: execution.id });
  return { ...Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, list.length])), summary: summary?.id, offset };
}

const nothing = { executions: 0, messages: 0, conversation: 0, queue: 0, approvals: 0, hits: 0, summary: undefined, offset: 0 };

export function describeDeletion(contract: StorageContract): void {
  describe("deletion", () => {
    const fixture = useStorage(contract);

    it("a deleted attempt takes with it all that belongs to it, and leaves the task", async () => {
      await fill(fixture.storage);
      expect(await listWhatIsLeft(fixture.storage)).toMatchObject({ executions: 1, conversation: 1, hits: 1, offset: 9 });
      await fixture.storage.transaction((tx) => tx.deleteAttempt({ id: attempt.id }));
      expect(await listWhatIsLeft(fixture.storage)).toEqual(nothing);
      expect(await fixture.storage.read.findTask({ id: task.id })).toEqual({ ...task, activeAttemptId: null });
    });

    it("a deleted project takes its tasks and all that belongs to them with it", async () => {
      await fill(fixture.storage);
      await fixture.storage.transaction((tx) => tx.deleteProject({ id: project.id }));
      expect(await listWhatIsLeft(fixture.storage)).toEqual(nothing);
      expect(await fixture.storage.read.listTasks()).toEqual([]);
      expect(await fixture.storage.read.listAttempts({ taskId: task.id })).toEqual([]);
    });
  });
}
