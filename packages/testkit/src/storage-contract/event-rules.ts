import type { SkeinEvent } from "@skein/contracts";
import { describe, expect, it } from "vitest";
import { buildApproval } from "../builders/build-approval.ts";
import { buildToolExecutionMessage } from "../builders/build-conversation-message.ts";
import { buildEndedExecution } from "../builders/build-execution.ts";
import { buildQueuedMessage } from "../builders/build-queued-message.ts";
import { testTime } from "../builders/test-id.ts";
import {
  attempt,
  buildNumberedMessage,
  execution,
  insertRunningExecution,
  listAllEvents,
  ofAttempt,
  ofExecution,
  project,
  type StorageContract,
  task,
  useStorage,
} from "./contract-fixture.ts";

export function describeEvents(contract: StorageContract): void {
  describe("events", () => {
    const fixture = useStorage(contract);

    function addMessage(number: number) {
      const message = buildNumberedMessage(number);
      return fixture.storage.transaction(async (tx) => {
        await tx.putConversationMessages({ ...ofExecution, messages: [message] });
        await tx.appendEvent({ type: "message:added", ...ofAttempt, message }, testTime + number);
      });
    }

    it("[E6] published and listed events are the same, in the same order with the same numbers", async () => {
      await fixture.storage.transaction(insertRunningExecution);
      await Promise.all([1, 2, 3].map(addMessage));
      await addMessage(4);
      const published = fixture.published.flat();
      expect(published.map(({ at }) => at - testTime)).toEqual([1, 2, 3, 4]);
      expect(published.map(({ seq }) => seq)).toEqual(published.map(({ seq }) => seq).toSorted((a, b) => a - b));
      expect(await fixture.storage.read.listEvents({ after: 0, limit: 100 })).toEqual(published);
      expect(await fixture.storage.read.getLastSeq()).toBe(published.at(-1)?.seq);
    });

    it("[E6] a client gets everything after the last number it has, page by page", async () => {
      await fixture.storage.transaction(insertRunningExecution);
      for (const number of [1, 2, 3, 4, 5]) await addMessage(number);
      const all = fixture.published.flat();
      const { read } = fixture.storage;
      expect(await read.listEvents({ after: all[1]?.seq ?? 0, limit: 2 })).toEqual(all.slice(2, 4));
      expect(await read.listEvents({ after: all[4]?.seq ?? 0, limit: 2 })).toEqual([]);
    });

    it("[E6] an event is published after its commit, and not to a listener that was removed", async () => {
      const seen: unknown[] = [];
      const remove = fixture.storage.onCommitted(() => seen.push("removed"));
      remove();
      const reading = new Promise((resolve) => {
        fixture.storage.onCommitted(() => resolve(fixture.storage.read.findProject({ id: project.id })));
      });
      await fixture.storage.transaction(async (tx) => {
        await tx.insertProject(project);
        await tx.appendEvent({ type: "project:created", projectId: project.id, project }, testTime);
      });
      expect(await reading).toEqual(project);
      expect(seen).toEqual([]);
    });

    it("every kind of event is listed as it was appended when nothing has changed since", async () => {
      const ended = buildEndedExecution();
      const message = buildNumberedMessage(1);
      const approval = buildApproval();
      const queued = buildQueuedMessage();
      const queuePause = { reason: "failed", pausedAt: testTime } as const;
      const shownTask = { ...task, activeAttemptId: attempt.id };
      const events: SkeinEvent[] = [
        { type: "project:created", projectId: project.id, project },
        { type: "project:updated", projectId: project.id, project },
        { type: "task:created", taskId: task.id, task: shownTask },
        { type: "task:updated", taskId: task.id, task: shownTask },
        { type: "task:status-changed", taskId: task.id, previousStatus: "in-progress", newStatus: "todo", task: shownTask },
        { type: "task:attempt-created", taskId: task.id, attempt },
        { type: "task:attempt-updated", ...ofAttempt, updates: { sessionId: attempt.sessionId, updatedAt: attempt.updatedAt } },
        { type: "execution:started", ...ofAttempt, executionId: ended.id, execution: ended },
        { type: "message:added", ...ofAttempt, message },
        { type: "approval:requested", ...ofAttempt, approval },
        { type: "approval:resolved", ...ofAttempt, approval },
        { type: "queue:changed", ...ofAttempt, queue: [queued], queuePause },
        { type: "execution:completed", ...ofAttempt, executionId: ended.id, status: ended.status, execution: ended },
        {
          type: "state:conversation-sync",
          taskId: task.id,
          state: {
            messages: [message],
            isExecuting: false,
            canSendMessage: true,
            attemptId: attempt.id,
            queue: [queued],
            queuePause,
            approvals: [approval],
          },
        },
        { type: "task:deleted", taskId: task.id, projectId: project.id },
        { type: "project:deleted", projectId: project.id },
      ];
      await fixture.storage.transaction(async (tx) => {
        await insertRunningExecution(tx);
        await tx.putConversationMessages({ ...ofExecution, messages: [message] });
        await tx.insertApproval(approval);
        await tx.insertQueuedMessage(queued);
        await tx.setQueuePause({ attemptId: attempt.id, pause: queuePause });
        await tx.endExecution(ended);
        for (const event of events) await tx.appendEvent(event, testTime);
      });
      expect(await listAllEvents(fixture.storage)).toEqual(events);
      expect(fixture.published.flat().map(({ event }) => event)).toEqual(events);
    });

    it("[E6] an event carries its subject in its current state", async () => {
      const ended = buildEndedExecution();
      await fixture.storage.transaction(async (tx) => {
        await insertRunningExecution(tx);
        await tx.appendEvent({ type: "execution:started", ...ofAttempt, executionId: execution.id, execution }, testTime);
      });
      await fixture.storage.transaction((tx) => tx.endExecution(ended));
      expect(await listAllEvents(fixture.storage)).toEqual([
        { type: "execution:started", ...ofAttempt, executionId: execution.id, execution: ended },
      ]);
      expect(fixture.published.flat()[0]?.event).toMatchObject({ execution: { status: "running" } });
    });

    it("[E6] the event of a replaced message carries the message that replaced it", async () => {
      const result = buildNumberedMessage(1);
      const card = buildToolExecutionMessage({ metadata: { replaces: [result.id] } });
      await fixture.storage.transaction(insertRunningExecution);
      await addMessage(1);
      await addMessage(2);
      await fixture.storage.transaction(async (tx) => {
        await tx.putConversationMessages({ ...ofExecution, messages: [card] });
        await tx.appendEvent({ type: "message:added", ...ofAttempt, message: card }, testTime);
      });
      const ids = (await listAllEvents(fixture.storage)).map((event) => (event.type === "message:added" ? event.message.id : event.type));
      expect(ids).toEqual([card.id, "msg_0002", card.id]);
    });

    it("leaves out events of deleted objects, keeps those of deletions, and fills the page with the following ones", async () => {
      await fixture.storage.transaction(insertRunningExecution);
      for (const number of [1, 2, 3]) await addMessage(number);
      const lastSeq = await fixture.storage.read.getLastSeq();
      await fixture.storage.transaction((tx) => tx.deleteTask({ id: task.id }));
      expect(await fixture.storage.read.getLastSeq()).toBe(lastSeq);
      await fixture.storage.transaction(async (tx) => {
        await tx.appendEvent({ type: "task:deleted", taskId: task.id, projectId: project.id }, testTime);
        await tx.appendEvent({ type: "project:updated", projectId: project.id, project }, testTime);
        await tx.deleteProject({ id: project.id });
        await tx.appendEvent({ type: "project:deleted", projectId: project.id }, testTime);
      });
      const { read } = fixture.storage;
      const types = (await read.listEvents({ after: 0, limit: 2 })).map(({ event }) => event.type);
      expect(types).toEqual(["task:deleted", "project:deleted"]);
      expect(await read.getLastSeq()).toBeGreaterThan(lastSeq);
    });

    it("lists the events of one task", async () => {
      await fixture.storage.transaction(insertRunningExecution);
      await fixture.storage.transaction(async (tx) => {
        await tx.appendEvent({ type: "project:updated", projectId: project.id, project }, testTime);
        await tx.appendEvent({ type: "task:attempt-created", taskId: task.id, attempt }, testTime);
      });
      const events = await fixture.storage.read.listEvents({ after: 0, limit: 10, taskId: task.id });
      expect(events.map(({ event }) => event.type)).toEqual(["task:attempt-created"]);
    });
  });
}
