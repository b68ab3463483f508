import { StorageConstraintError } from "@skein/engine";
import { describe, expect, it } from "vitest";
import { buildAttempt } from "../builders/build-attempt.ts";
import { buildEndedExecution, buildExecution } from "../builders/build-execution.ts";
import { buildProject } from "../builders/build-project.ts";
import { buildStoredMessage } from "../builders/build-stored-message.ts";
import { buildTask } from "../builders/build-task.ts";
import { testId, testTime } from "../builders/test-id.ts";
import { attempt, execution, insertRunningExecution, project, type StorageContract, task, useStorage } from "./contract-fixture.ts";

export function describeConstraints(contract: StorageContract): void {
  describe("tasks, attempts and executions", () => {
    const fixture = useStorage(contract);

    it("returns what was inserted", async () => {
      await fixture.storage.transaction(insertRunningExecution);
      const { read } = fixture.storage;
      expect(await read.listProjects()).toEqual([project]);
      expect(await read.findProject({ path: project.path })).toEqual(project);
      expect(await read.findTask({ id: task.id })).toEqual({ ...task, activeAttemptId: attempt.id });
      expect(await read.listAttempts({ taskId: task.id })).toEqual([attempt]);
      expect(await read.listExecutions({ attemptId: attempt.id })).toEqual([execution]);
      expect(await read.listRunningExecutions()).toEqual([execution]);
      expect(await read.listRunningExecutions({ taskId: testId("tsk", 9) })).toEqual([]);
    });

    it("[R5, G2] keeps the system prompts of a project and of an attempt, and changes to them and to auto-commit", async () => {
      const prompts = { project: "Use tabs.\n“Immer”", attempt: "只用中文回答。" };
      await fixture.storage.transaction(async (tx) => {
        await insertRunningExecution(tx);
        await tx.updateProject({ ...project, systemPrompt: prompts.project, autoCommit: true, workersFetch: true });
        await tx.updateAttempt({ ...attempt, systemPrompt: prompts.attempt });
        await tx.insertAttempt(buildAttempt({ id: testId("att", 2), number: 2, active: false, systemPrompt: "Be brief." }));
      });
      const { read } = fixture.storage;
      expect(await read.findProject({ id: project.id })).toEqual({
        ...project,
        systemPrompt: prompts.project,
        autoCommit: true,
        workersFetch: true,
      });
      expect((await read.listAttempts({ taskId: task.id })).map(({ systemPrompt }) => systemPrompt)).toEqual([
        prompts.attempt,
        "Be brief.",
      ]);
    });

    it("[E1] a new active attempt takes over from the one that was active", async () => {
      const second = buildAttempt({ id: testId("att", 2), number: 2, createdAt: testTime + 1 });
      await fixture.storage.transaction(async (tx) => {
        await insertRunningExecution(tx);
        await tx.insertAttempt(second);
      });
      const attempts = await fixture.storage.read.listAttempts({ taskId: task.id });
      expect(attempts.map(({ id, active }) => [id, active])).toEqual([
        [attempt.id, false],
        [second.id, true],
      ]);
      expect((await fixture.storage.read.findTask({ id: task.id }))?.activeAttemptId).toBe(second.id);
    });

    it("[E1] activating an attempt makes the other one inactive, updating one does not", async () => {
      const second = buildAttempt({ id: testId("att", 2), number: 2 });
      await fixture.storage.transaction(async (tx) => {
        await insertRunningExecution(tx);
        await tx.insertAttempt(second);
        await tx.updateAttempt({ ...attempt, active: true, sessionId: "session-1" });
      });
      expect(await fixture.storage.read.findAttempt({ id: attempt.id })).toEqual({ ...attempt, active: false, sessionId: "session-1" });

      await fixture.storage.transaction((tx) => tx.activateAttempt({ id: attempt.id, at: testTime + 9 }));
      const attempts = await fixture.storage.read.listAttempts({ taskId: task.id });
      expect(attempts.filter(({ active }) => active).map(({ id }) => id)).toEqual([attempt.id]);
    });

    it("[E1] a second running execution of an attempt is rejected, also in another transaction", async () => {
      await fixture.storage.transaction(insertRunningExecution);
      const second = buildExecution({ id: testId("exe", 2), number: 2 });
      await expect(fixture.storage.transaction((tx) => tx.insertExecution(second))).rejects.toThrow(StorageConstraintError);
      expect(await fixture.storage.read.listExecutions({ attemptId: attempt.id })).toEqual([execution]);
    });

    it("[E1] two executions of an attempt cannot have the same number, nor two attempts of a task", async () => {
      await fixture.storage.transaction(insertRunningExecution);
      await fixture.storage.transaction((tx) => tx.endExecution(buildEndedExecution()));
      const sameNumber = buildExecution({ id: testId("exe", 2), number: 1 });
      await expect(fixture.storage.transaction((tx) => tx.insertExecution(sameNumber))).rejects.toThrow(StorageConstraintError);
      const sameAttempt = buildAttempt({ id: testId("att", 2), number: 1 });
      await expect(fixture.storage.transaction((tx) => tx.insertAttempt(sameAttempt))).rejects.toThrow(StorageConstraintError);
    });

    it("[E1] an execution cannot name an attempt of another task", async () => {
      await fixture.storage.transaction(insertRunningExecution);
      const stray = buildExecution({ id: testId("exe", 2), number: 2, taskId: testId("tsk", 2) });
      await fixture.storage.transaction(async (tx) => {
        await tx.insertTask(buildTask({ id: testId("tsk", 2) }));
        await tx.endExecution(buildEndedExecution());
      });
      await expect(fixture.storage.transaction((tx) => tx.insertExecution(stray))).rejects.toThrow(StorageConstraintError);
    });

    it("[E5] the first end of an execution wins", async () => {
      const ended = buildEndedExecution({ status: "cancelled", exitCode: null, reason: "Stopped." });
      await fixture.storage.transaction(insertRunningExecution);
      expect(await fixture.storage.transaction((tx) => tx.endExecution(ended))).toBe(true);
      expect(await fixture.storage.transaction((tx) => tx.endExecution(buildEndedExecution({ status: "success" })))).toBe(false);
      expect(await fixture.storage.read.findExecution({ id: execution.id })).toEqual(ended);
      expect(await fixture.storage.read.listRunningExecutions({ attemptId: attempt.id })).toEqual([]);
    });

    it("refuses references to missing rows, and updates of missing rows", async () => {
      const { storage } = fixture;
      await expect(storage.transaction((tx) => tx.insertTask(task))).rejects.toThrow(StorageConstraintError);
      await expect(storage.transaction((tx) => tx.updateTask(task))).rejects.toThrow(StorageConstraintError);
      await expect(storage.transaction((tx) => tx.activateAttempt({ id: attempt.id, at: 1 }))).rejects.toThrow(StorageConstraintError);
      await expect(storage.transaction((tx) => tx.putMessages([buildStoredMessage()]))).rejects.toThrow(StorageConstraintError);
    });

    it("keeps the cause of a refusal, and refuses a second project with the same path", async () => {
      await fixture.storage.transaction((tx) => tx.insertProject(project));
      const same = fixture.storage.transaction((tx) => tx.insertProject(buildProject({ id: testId("prj", 2), path: project.path })));
      const refusal = await same.catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(StorageConstraintError);
      expect((refusal as StorageConstraintError).cause).toBeInstanceOf(Error);
    });

    it("lists tasks by position, of one project and one status", async () => {
      const tasks = [
        buildTask({ id: testId("tsk", 1), position: 2 }),
        buildTask({ id: testId("tsk", 2), position: 1.5 }),
        buildTask({ id: testId("tsk", 3), position: 1, status: "done", tags: ["a", "b"] }),
        buildTask({ id: testId("tsk", 4), position: 1, projectId: testId("prj", 2) }),
      ];
      await fixture.storage.transaction(async (tx) => {
        await tx.insertProject(project);
        await tx.insertProject(buildProject({ id: testId("prj", 2) }));
        for (const one of tasks) await tx.insertTask(one);
      });
      const { read } = fixture.storage;
      expect((await read.listTasks({ projectId: project.id, status: "todo" })).map(({ id }) => id)).toEqual(["tsk_0002", "tsk_0001"]);
      expect(await read.listTasks({ status: "done" })).toEqual([tasks[2]]);
      expect(await read.listTasks()).toHaveLength(4);
    });

    it("lists the tasks after a position, whether or not a task still has it", async () => {
      const places = [
        { position: 1, createdAt: 5 },
        { position: 2, createdAt: 3 },
        { position: 2, createdAt: 4 },
        { position: 2, createdAt: 4 },
        { position: 2.5, createdAt: 1 },
      ];
      const tasks = places.map((place, index) => buildTask({ ...place, id: testId("tsk", index + 1) }));
      await fixture.storage.transaction(async (tx) => {
        await tx.insertProject(project);
        for (const one of tasks.toReversed()) await tx.insertTask(one);
      });
      const { read } = fixture.storage;
      for (const [index, after] of [undefined, ...tasks].entries()) {
        expect(await read.listTasks({ projectId: project.id, after, limit: 2 })).toEqual(tasks.slice(index, index + 2));
        expect(await read.listTasks({ after })).toEqual(tasks.slice(index));
      }
      const gone = { position: 2, createdAt: 3, id: testId("tsk", 9) };
      expect(await read.listTasks({ after: gone, limit: 1 })).toEqual([tasks[2]]);
    });

    it("an archived task is listed on request, and can be restored", async () => {
      const archived = buildTask({ id: testId("tsk", 2), position: 2, archived: true });
      await fixture.storage.transaction(async (tx) => {
        await tx.insertProject(project);
        await tx.insertTask(task);
        await tx.insertTask(archived);
      });
      const { read } = fixture.storage;
      expect(await read.listTasks({ archived: true })).toEqual([archived]);
      expect(await read.listTasks({ archived: false })).toEqual([task]);
      expect(await read.listTasks()).toEqual([task, archived]);
      await fixture.storage.transaction((tx) => tx.updateTask({ ...archived, archived: false }));
      expect(await read.findTask({ id: archived.id })).toEqual({ ...archived, archived: false });
    });
  });
}
