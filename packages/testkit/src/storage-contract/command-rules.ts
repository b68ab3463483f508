import type { Summary, SummaryId } from "@skein/contracts";
import { StorageConstraintError } from "@skein/engine";
import { describe, expect, it } from "vitest";
import { buildApproval } from "../builders/build-approval.ts";
import { buildEndedExecution, buildExecution } from "../builders/build-execution.ts";
import { buildQueuedMessage } from "../builders/build-queued-message.ts";
import { buildSummary } from "../builders/build-summary.ts";
import { buildTask } from "../builders/build-task.ts";
import { testId, testTime } from "../builders/test-id.ts";
import { attempt, execution, insertRunningExecution, project, type StorageContract, useStorage } from "./contract-fixture.ts";

const ofSecond = { id: testId("exe", 2), number: 2 };

export function describeCommands(contract: StorageContract): void {
  describe("commands, queue, approvals and summaries", () => {
    const fixture = useStorage(contract);

    it("[E2] a recorded command returns its first answer, and recording it again rolls back its transaction", async () => {
      const result = { executionId: execution.id };
      await fixture.storage.transaction((tx) => tx.recordCommand({ id: "command-1", result, at: testTime }));
      const again = fixture.storage.transaction(async (tx) => {
        await tx.insertProject(project);
        await tx.recordCommand({ id: "command-1", result: {}, at: testTime });
      });
      await expect(again).rejects.toThrow(StorageConstraintError);
      expect(await fixture.storage.read.findCommandResult({ id: "command-1" })).toEqual(result);
      expect(await fixture.storage.read.findCommandResult({ id: "command-2" })).toBeUndefined();
      expect(await fixture.storage.read.listProjects()).toEqual([]);
    });

    it("[E4, W3] a requested stop is stored until the execution has ended; the first request counts", async () => {
      const { storage } = fixture;
      const { id: executionId } = execution;
      expect(await storage.read.findStopRequest({ executionId })).toBeUndefined();
      await storage.transaction(async (tx) => {
        await insertRunningExecution(tx);
        await tx.requestStop({ executionId, at: testTime });
        await tx.requestStop({ executionId, at: testTime + 1 });
      });
      expect(await storage.read.findStopRequest({ executionId })).toBe(testTime);
      const next = buildExecution(ofSecond);
      await storage.transaction(async (tx) => {
        await tx.endExecution(buildEndedExecution());
        await tx.insertExecution(next);
        await tx.requestStop({ executionId: testId("exe", 3), at: testTime });
      });
      expect(await storage.read.findStopRequest({ executionId: next.id })).toBeUndefined();
      await storage.transaction((tx) => tx.endExecution(buildEndedExecution(ofSecond)));
      await storage.transaction((tx) => tx.requestStop({ executionId: next.id, at: testTime }));
      expect(await storage.read.findStopRequest({ executionId: next.id })).toBeUndefined();
    });

    it("[E4] queued messages leave in order of arrival, also those of the same millisecond", async () => {
      const ids = [9, 3, 7, 1].map((number) => testId("que", number));
      await fixture.storage.transaction(async (tx) => {
        await insertRunningExecution(tx);
        for (const id of ids) await tx.insertQueuedMessage(buildQueuedMessage({ id }));
      });
      const { read } = fixture.storage;
      expect((await read.listQueuedMessages({ attemptId: attempt.id })).map(({ id }) => id)).toEqual(ids);

      const edited = buildQueuedMessage({ id: testId("que", 3), message: "Edited" });
      await fixture.storage.transaction((tx) => tx.updateQueuedMessage(edited));
      expect(await read.findQueuedMessage({ id: edited.id })).toEqual(edited);
      expect(await fixture.storage.transaction((tx) => tx.deleteQueuedMessage({ id: testId("que", 9) }))).toBe(true);
      expect(await fixture.storage.transaction((tx) => tx.deleteQueuedMessage({ id: testId("que", 9) }))).toBe(false);
      await fixture.storage.transaction((tx) => tx.insertQueuedMessage(buildQueuedMessage({ id: testId("que", 2) })));
      const left = (await read.listQueuedMessages({ attemptId: attempt.id })).map(({ id }) => id);
      expect(left).toEqual(["que_0003", "que_0007", "que_0001", "que_0002"]);
    });

    it("tasks and attempts are found by id prefix, in order", async () => {
      const others = [buildTask({ id: testId("tsk", 20) }), buildTask({ id: testId("tsk", 21) })];
      await fixture.storage.transaction(async (tx) => {
        await insertRunningExecution(tx);
        for (const other of others) await tx.insertTask(other);
      });
      const { read } = fixture.storage;
      const prefix = testId("tsk", 20).slice(0, -1);
      expect(await read.findIds({ prefix, limit: 9 })).toEqual(others.map(({ id }) => id));
      expect(await read.findIds({ prefix, limit: 1 })).toEqual([others[0]?.id]);
      expect(await read.findIds({ prefix: attempt.id, limit: 9 })).toEqual([attempt.id]);
      expect(await read.findIds({ prefix: "att_zz", limit: 9 })).toEqual([]);
    });

    it("[E4] a queue is paused until it is resumed or empty, and each attempt has its own", async () => {
      const { storage } = fixture;
      const [attemptId, pause] = [attempt.id, { reason: "stopped", pausedAt: testTime } as const];
      const [first, second] = [buildQueuedMessage({ id: testId("que", 1), steer: true }), buildQueuedMessage({ id: testId("que", 2) })];
      await storage.transaction(async (tx) => {
        await insertRunningExecution(tx);
        for (const message of [first, second]) await tx.insertQueuedMessage(message);
        await tx.setQueuePause({ attemptId, pause: { reason: "failed", pausedAt: 1 } });
        await tx.setQueuePause({ attemptId, pause });
      });
      expect(await storage.read.getQueue({ attemptId })).toEqual({ queue: [first, second], queuePause: pause });
      expect(await storage.read.getQueue({ attemptId: testId("att", 7) })).toEqual({ queue: [], queuePause: null });
      await storage.transaction((tx) => tx.updateQueuedMessage({ ...first, steer: false }));
      await storage.transaction((tx) => tx.deleteQueuedMessage({ id: second.id }));
      expect(await storage.read.getQueue({ attemptId })).toEqual({ queue: [{ ...first, steer: false }], queuePause: pause });
      await storage.transaction((tx) => tx.deleteQueuedMessage({ id: first.id }));
      await storage.transaction((tx) => tx.insertQueuedMessage(second));
      expect((await storage.read.getQueue({ attemptId })).queuePause).toBeNull();
      await storage.transaction((tx) => tx.setQueuePause({ attemptId, pause }));
      await storage.transaction((tx) => tx.setQueuePause({ attemptId, pause: null }));
      expect(await storage.read.getQueue({ attemptId })).toEqual({ queue: [second], queuePause: null });
    });

    it("[E4] a queued message can be put before another one, or at the end", async () => {
      const ids = [1, 2, 3].map((number) => testId("que", number));
      const [first, second, third] = ids;
      await fixture.storage.transaction(async (tx) => {
        await insertRunningExecution(tx);
        for (const id of ids) await tx.insertQueuedMessage(buildQueuedMessage({ id }));
      });
      const move = async (id = first, before: typeof first | null = null) => {
        await fixture.storage.transaction((tx) => tx.moveQueuedMessage({ id: id ?? testId("que"), before }));
        return (await fixture.storage.read.listQueuedMessages({ attemptId: attempt.id })).map((message) => message.id);
      };
      expect(await move(third, first)).toEqual([third, first, second]);
      expect(await move(third, null)).toEqual([first, second, third]);
      expect(await move(first, third)).toEqual([second, first, third]);
      expect(await move(first, first)).toEqual([second, first, third]);
      expect(await move(testId("que", 9), first)).toEqual([second, first, third]);
      await fixture.storage.transaction((tx) => tx.insertQueuedMessage(buildQueuedMessage({ id: testId("que", 4) })));
      expect(await move(second, testId("que", 4))).toEqual([first, third, second, testId("que", 4)]);
    });

    it("[E10] the first answer to an approval wins", async () => {
      const approval = buildApproval();
      await fixture.storage.transaction(async (tx) => {
        await insertRunningExecution(tx);
        await tx.insertApproval(approval);
      });
      const answer = { id: approval.id, answerReason: "no", resolvedAt: testTime + 1 };
      const [first, second] = await Promise.all([
        fixture.storage.transaction((tx) => tx.answerApproval({ ...answer, decision: "deny" })),
        fixture.storage.transaction((tx) => tx.answerApproval({ ...answer, decision: "allow" })),
      ]);
      expect(first).toEqual({ ...approval, status: "answered", decision: "deny", answerReason: "no", resolvedAt: testTime + 1 });
      expect(second).toBeUndefined();
      expect(await fixture.storage.read.findApproval({ id: approval.id })).toEqual(first);
    });

    it("[E10] an approval keeps what “always” would allow, how its agent calls it, and the answers to its questions", async () => {
      const grant = { type: "command", tool: "bash", command: "npm test" } as const;
      const asked = buildApproval({ grant, requestId: "req-1" });
      const answers = { "Which one?": ["a", "b"], "Why?": "because" };
      const answered = await fixture.storage.transaction(async (tx) => {
        await insertRunningExecution(tx);
        await tx.insertApproval(asked);
        return tx.answerApproval({ id: asked.id, decision: "allow", answerReason: null, answers, resolvedAt: testTime });
      });
      expect(answered).toMatchObject({ grant, requestId: "req-1", answers });
      expect(await fixture.storage.read.findApproval({ id: asked.id })).toEqual(answered);
    });

    it("[E10] an approved plan keeps how it is carried out, and the user's edits", async () => {
      const asked = buildApproval({ toolName: "exit_plan", input: { plan: "1. Do it." } });
      const plan = { mode: "accept-edits", text: "1. Do it twice." } as const;
      const answered = await fixture.storage.transaction(async (tx) => {
        await insertRunningExecution(tx);
        await tx.insertApproval(asked);
        return tx.answerApproval({ id: asked.id, decision: "allow", answerReason: null, plan, resolvedAt: testTime });
      });
      expect(answered).toMatchObject({ plan });
      expect(await fixture.storage.read.findApproval({ id: asked.id })).toEqual(answered);
    });

    it("[E10] a pending approval is marked as tampered with once, and keeps the mark", async () => {
      const asked = buildApproval();
      const tampering = { kind: "answer-refused", at: testTime + 1 } as const;
      const mark = { executionId: asked.executionId, toolUseId: asked.toolUseId, tampering };
      const marked = await fixture.storage.transaction(async (tx) => {
        await insertRunningExecution(tx);
        await tx.insertApproval(asked);
        return [
          await tx.markApprovalTampered(mark),
          await tx.markApprovalTampered({ ...mark, tampering: { kind: "ran-unanswered", at: 9 } }),
        ];
      });
      expect(marked).toEqual([{ ...asked, tampering }, undefined]);
      const answer = { id: asked.id, decision: "deny", answerReason: null, resolvedAt: testTime + 2 } as const;
      await fixture.storage.transaction((tx) => tx.answerApproval(answer));
      expect(await fixture.storage.transaction((tx) => tx.markApprovalTampered(mark))).toBeUndefined();
      expect(await fixture.storage.read.findApproval({ id: asked.id })).toMatchObject({ status: "answered", tampering });
    });

    it("[N3] a grant is stored once for a project, can be revoked, and is deleted with the project", async () => {
      const grant = { type: "command", tool: "bash", command: "npm test" } as const;
      const rule = { id: testId("rul"), projectId: project.id, grant, createdAt: testTime };
      const narrow = { ...rule, id: testId("rul", 2), grant: { type: "read-only-command", tool: "bash", program: "git log" } } as const;
      const inserted = await fixture.storage.transaction(async (tx) => {
        await tx.insertProject(project);
        const same = { ...rule, id: testId("rul", 3), grant: { command: "npm test", tool: "bash", type: "command" } } as const;
        return [await tx.insertGrant(rule), await tx.insertGrant(same), await tx.insertGrant(narrow)];
      });
      expect(inserted).toEqual([true, false, true]);
      const list = () => fixture.storage.read.listGrants({ projectId: project.id });
      expect(await list()).toEqual([rule, narrow]);
      expect(await fixture.storage.transaction((tx) => tx.deleteGrant({ id: rule.id }))).toBe(true);
      expect(await fixture.storage.transaction((tx) => tx.deleteGrant({ id: rule.id }))).toBe(false);
      expect(await list()).toEqual([narrow]);
      await fixture.storage.transaction((tx) => tx.deleteProject({ id: project.id }));
      expect(await list()).toEqual([]);
    });

    it("[E10] a tool use asks once, and what is pending when its execution ends expires", async () => {
      const asked = buildApproval();
      const waiting = buildApproval({ id: testId("apr", 2), toolUseId: "toolu_2" });
      await fixture.storage.transaction(insertRunningExecution);
      const inserted = await fixture.storage.transaction(async (tx) => [
        await tx.insertApproval(asked),
        await tx.insertApproval(buildApproval({ id: testId("apr", 3) })),
        await tx.insertApproval(waiting),
      ]);
      expect(inserted).toEqual([true, false, true]);
      const expired = await fixture.storage.transaction(async (tx) => {
        await tx.answerApproval({ id: asked.id, decision: "allow", answerReason: null, resolvedAt: testTime });
        return tx.expireApprovals({ executionId: execution.id, resolvedAt: testTime + 5 });
      });
      expect(expired).toEqual([{ ...waiting, status: "expired", resolvedAt: testTime + 5 }]);
      const { read } = fixture.storage;
      expect(await read.listApprovals({ status: "pending" })).toEqual([]);
      expect((await read.listApprovals({ attemptId: attempt.id })).map(({ status }) => status)).toEqual(["answered", "expired"]);
    });

    it("[R10] a new summary supersedes the active one of its attempt, and an undo brings it back", async () => {
      const first = buildSummary();
      const second = buildSummary({ id: testId("sum", 2), summary: "They said more." });
      const attemptId = attempt.id;
      const findActive = async () => (await fixture.storage.read.getCompression({ attemptId })).summary;
      const save = (summary: Summary, expectedSummaryId: SummaryId | null) =>
        fixture.storage.transaction((tx) => tx.saveCompression({ attemptId, summary, pruning: null, expectedSummaryId, at: testTime }));
      await fixture.storage.transaction(insertRunningExecution);
      expect(await findActive()).toBeNull();
      await save(first, null);
      expect(await findActive()).toEqual(first);
      await save(second, first.id);
      expect(await findActive()).toEqual(second);
      for (const before of [first, null]) {
        await fixture.storage.transaction((tx) => tx.undoCompression({ attemptId }));
        expect(await findActive()).toEqual(before);
      }
    });

    it("[R10, Q8] compressions are undone one by one, each to what was active before it, and only the first of two undos counts", async () => {
      const { storage } = fixture;
      const attemptId = attempt.id;
      await storage.transaction(insertRunningExecution);
      const pruning = (toolCallId: string) => ({ results: [{ messageId: testId("msg"), toolCallId }] });
      const [first, second] = [buildSummary(), buildSummary({ id: testId("sum", 2), summary: "They said more." })];
      const steps = [
        { summary: null, pruning: pruning("a"), expectedSummaryId: null },
        { summary: first, pruning: null, expectedSummaryId: null },
        { summary: null, pruning: pruning("b"), expectedSummaryId: first.id },
        { summary: second, pruning: pruning("c"), expectedSummaryId: first.id },
      ];
      const states = [await storage.read.getCompression({ attemptId })];
      for (const step of steps) {
        expect(await storage.transaction((tx) => tx.saveCompression({ ...step, attemptId, at: testTime }))).toBe(true);
        states.push(await storage.read.getCompression({ attemptId }));
      }
      expect(states.map(({ summary, pruning }) => [summary?.id, pruning?.results[0]?.toolCallId])).toEqual([
        [undefined, undefined],
        [undefined, "a"],
        [first.id, undefined],
        [first.id, "b"],
        [second.id, "c"],
      ]);
      const late = { ...buildSummary({ id: testId("sum", 3) }) };
      const lost = await storage.transaction((tx) =>
        tx.saveCompression({ attemptId, summary: late, pruning: null, expectedSummaryId: first.id, at: testTime }),
      );
      expect(lost).toBe(false);
      for (const before of states.slice(0, -1).reverse()) {
        expect(await storage.transaction((tx) => tx.undoCompression({ attemptId }))).toBe(true);
        expect(await storage.read.getCompression({ attemptId })).toEqual(before);
      }
      expect(await storage.transaction((tx) => tx.undoCompression({ attemptId }))).toBe(false);
    });
  });
}
