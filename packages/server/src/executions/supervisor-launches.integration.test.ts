import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { type AgentAdapter, formatText, type Storage } from "@skein/engine";
import { buildAttempt, buildExecution, buildStoredMessage, buildTask, testId } from "@skein/testkit";
import { describe, expect, test, vi } from "vitest";
import {
  attempt,
  events,
  execution,
  home,
  lines,
  newSupervisor,
  prepared,
  set,
  setUpEachTest,
  storage,
  supervisor,
} from "./supervisor.fixture.ts";

setUpEachTest();

test("an attempt that continues another is launched with that one's history and its own", async () => {
  set({ script: "echo done" });
  const histories: string[][] = [];
  const spy: AgentAdapter = {
    ...lines,
    createLaunch(context) {
      histories.push(context.history.map(({ id }) => String(id)));
      return lines.createLaunch(context);
    },
  };
  await supervisor.close();
  set({ supervisor: newSupervisor([spy]) });
  const said = buildStoredMessage({ id: testId("msg", 1), executionId: execution.id, createdAt: 5 });
  const next = buildAttempt({
    id: testId("att", 2),
    number: 2,
    agent: "acp:lines",
    directory: home,
    continuedFrom: attempt().id,
    createdAt: 10,
  });
  const asked = buildExecution({ id: testId("exe", process.pid + 2), attemptId: next.id, startedAt: 20 });
  await storage.transaction(async (tx) => {
    await tx.putMessages([said]);
    await tx.endExecution({ ...execution, status: "success", endedAt: 8, durationMs: 1, exitCode: 0, reason: null, code: null, usage: {} });
    await tx.insertAttempt(next);
    await tx.insertExecution(asked);
    await tx.putMessages([buildStoredMessage({ id: testId("msg", 2), attemptId: next.id, executionId: asked.id, createdAt: 20 })]);
  });
  await supervisor.launch({ execution: asked, attempt: next, message: "go on", images: [] });
  await supervisor.waitUntilSettled(asked.id);
  expect(histories).toEqual([[said.id]]);
});

test("[X8] untrusted agent settings are reported to the agent, and once to the user", async () => {
  set({ script: "echo done" });
  mkdirSync(join(home, ".claude"));
  writeFileSync(join(home, ".claude/settings.json"), "{}");
  const seen: (boolean | undefined)[] = [];
  const spy: AgentAdapter = {
    ...lines,
    createLaunch(context) {
      seen.push(context.trustsRepositorySettings);
      return lines.createLaunch(context);
    },
  };
  await supervisor.close();
  set({ supervisor: newSupervisor([spy]) });
  await supervisor.launch(prepared());
  await supervisor.waitUntilSettled(execution.id);
  const second = buildExecution({ id: testId("exe", process.pid + 3), number: 2 });
  await storage.transaction((tx) => tx.insertExecution(second));
  await supervisor.launch({ ...prepared(), execution: second });
  await supervisor.waitUntilSettled(second.id);
  expect(seen).toEqual([false, false]);
  const { messages } = await storage.read.listConversationMessages({ attemptId: execution.attemptId, limit: 10 });
  expect(messages.map(({ content }) => content)).toEqual([
    formatText({ code: "agent-settings-not-used", state: "untrusted", names: [".claude/settings.json"], more: 0 }),
    "done",
    "done",
  ]);
});

describe("[E4] a stop that arrives while the end of a successful execution is being saved", () => {
  const queue = (...messages: string[]) =>
    storage.transaction(async (tx) => {
      for (const [index, message] of messages.entries()) {
        const { taskId, attemptId } = execution;
        const id = testId("que", index + 1);
        await tx.insertQueuedMessage({ id, taskId, attemptId, message, images: [], steer: false, createdAt: index });
      }
    });
  /** Calls `react` when the settling transaction has decided to start the next message, and is not committed yet. */
  const beforeCommit = (react: (() => void) | undefined) => {
    const { transaction } = storage;
    const wrapped: Storage = {
      ...storage,
      transaction: (work, options) =>
        transaction(async (tx) => {
          const result = await work(tx);
          if (react !== undefined && (await tx.findExecution({ id: execution.id }))?.status === "success") {
            react();
            react = undefined;
          }
          return result;
        }, options),
    };
    set({ storage: wrapped });
  };
  const listEnds = async () =>
    (await storage.read.listExecutions({ attemptId: execution.attemptId })).map((one) => [one.status, "code" in one ? one.code : null]);

  test("does not let the next message start: it can be sent again, and the rest of the queue is paused", async () => {
    set({ script: "echo x >> count; echo done" });
    await queue("two", "three");
    beforeCommit(() => supervisor.stop(execution.id));
    set({ supervisor: newSupervisor() });
    await supervisor.launch(prepared());
    await vi.waitFor(async () => expect(await listEnds()).toHaveLength(2), { timeout: 15_000 });
    await vi.waitFor(async () => expect(await storage.read.listRunningExecutions()).toEqual([]), { timeout: 15_000 });
    expect(await listEnds()).toEqual([
      ["success", null],
      ["cancelled", "not-answered"],
    ]);
    expect(readFileSync(join(home, "count"), "utf8")).toBe("x\n");
    expect(await storage.read.getQueue({ attemptId: execution.attemptId })).toMatchObject({
      queue: [{ message: "three" }],
      queuePause: { reason: "stopped" },
    });
  });

  test("is known to the next server, where this one was killed before it could act on it", async () => {
    set({ script: "echo x >> count; echo done" });
    await queue("two");
    const first = supervisor;
    beforeCommit(() => {
      supervisor.stop(execution.id);
      void supervisor.close(); // as a kill: the end is saved, and nothing after it is done
    });
    set({ supervisor: newSupervisor() });
    await supervisor.launch(prepared());
    await vi.waitFor(async () => expect(await listEnds()).toHaveLength(2), { timeout: 15_000 });
    await Promise.all([first.close(), supervisor.close()]);
    set({ supervisor: newSupervisor() });
    await supervisor.resume();
    await vi.waitFor(async () => expect(await storage.read.listRunningExecutions()).toEqual([]), { timeout: 15_000 });
    expect(await listEnds()).toEqual([
      ["success", null],
      ["cancelled", "not-answered"],
    ]);
    expect(readFileSync(join(home, "count"), "utf8")).toBe("x\n");
  });
});

test("many starts at once take turns, as many as there are cores but one, and all of them start", async () => {
  const lanes = Math.max(1, availableParallelism() - 1);
  const count = availableParallelism() + 4;
  let inside = 0;
  let most = 0;
  const adapter: AgentAdapter = {
    ...lines,
    async createLaunch(context) {
      most = Math.max(most, ++inside);
      // the others have the time to come in, if anything lets them
      for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
      inside -= 1;
      return lines.createLaunch(context);
    },
  };
  const starts = join(home, "starts");
  // a program that takes a while to start, then prints something
  set({ script: `echo 1 >> ${starts}; sleep 0.5; echo -1 >> ${starts}; echo started` });
  const many = Array.from({ length: count }, (_, index) => {
    const task = buildTask({ id: testId("tsk", 100 + index), status: "in-progress" });
    const ofTask = buildAttempt({ id: testId("att", 100 + index), taskId: task.id, agent: "acp:lines", directory: home });
    const run = buildExecution({ id: testId("exe", 100 + index), taskId: task.id, attemptId: ofTask.id });
    return { task, attempt: ofTask, execution: run };
  });
  await storage.transaction(async (tx) => {
    for (const one of many) {
      await tx.insertTask(one.task);
      await tx.insertAttempt(one.attempt);
      await tx.insertExecution(one.execution);
    }
  });
  await supervisor.close();
  set({ supervisor: newSupervisor([adapter]) });
  await Promise.all(many.map((one) => supervisor.launch({ execution: one.execution, attempt: one.attempt, message: "go", images: [] })));
  const ended = () => events.filter((event) => event.type === "execution:completed");
  await vi.waitFor(() => expect(ended()).toHaveLength(count), { timeout: 40_000 });
  expect(ended().map((event) => event.type === "execution:completed" && event.status)).toEqual(many.map(() => "success"));
  expect(most).toBe(lanes);
  let starting = 0;
  const atOnce = readFileSync(starts, "utf8")
    .trim()
    .split("\n")
    .map((change) => (starting += Number(change)));
  expect(Math.max(...atOnce)).toBeLessThanOrEqual(availableParallelism());
});
