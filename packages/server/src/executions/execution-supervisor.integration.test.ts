import { createHmac } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { messageIdSchema, type RunningExecution, type SkeinEvent } from "@skein/contracts";
import { type AgentAdapter, formatText, type Storage } from "@skein/engine";
import { createLocalHost } from "@skein/host";
import {
  createExecutionFolder,
  findExecutionProcesses,
  killExecutionProcesses,
  type RunnerIdentity,
  startRunner,
  wireHost,
} from "@skein/host/testing";
import { openSqliteStorage } from "@skein/storage";
import { buildAttempt, buildCapabilities, buildExecution, buildProject, buildStoredMessage, buildTask, testId } from "@skein/testkit";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { openLaunchJournal } from "../data-dir/launch-journal.ts";
import { openUnrecordedEnds } from "../data-dir/unrecorded-ends.ts";
import { createEventHub } from "../events/event-hub.ts";
import { openGitLfsFiles } from "../lfs/git-lfs.ts";
import { createMcpServerRegistry } from "../mcp/create-mcp-server-registry.ts";
import { openRepositoryTrust } from "../repository/repository-trust.ts";
import { createQuarantine } from "../services/quarantine.ts";
import { tidyDataDir } from "../services/tidy-data-dir.ts";
import { silentLogger } from "../silent-logger.fixture.ts";
import { createExecutionSupervisor, type ExecutionSupervisor } from "./execution-supervisor.ts";

let home: string;
let storage: Storage;
let supervisor: ExecutionSupervisor;
let events: SkeinEvent[];
let script: string;

const attempt = () => buildAttempt({ agent: "acp:lines", directory: home });
const execution: RunningExecution = buildExecution({ id: testId("exe", process.pid) });

/** A program that prints its lines; each is a text. */
const lines: AgentAdapter = {
  id: "acp:lines",
  name: "Lines",
  capabilities: buildCapabilities(),
  recordWriter: "driver",
  describe: () => Promise.reject(new Error("not asked")),
  createLaunch: async ({ environment }) => ({ program: "/bin/bash", args: ["--norc", "-c", script], cwd: home, environment, stdin: "" }),
  createDecoder: ({ executionId }) => ({
    decode: ({ text, offset, at }) => [
      { type: "text", mode: "whole", text, messageId: messageIdSchema.parse(`msg_${executionId}_${offset}`), index: 0, at },
    ],
    snapshot: () => null,
  }),
  encodeApproval: () => "",
};

const runnerSecret = "secret";
/** As if the agents ran on another machine. */
const newHost = () => wireHost(createLocalHost({ home, searchPath: undefined, readRunnerSecret: () => runnerSecret }));

function newSupervisor(
  adapters: readonly AgentAdapter[] = [lines],
  { now = Date.now, toolTimeoutMs }: { now?: () => number; toolTimeoutMs?: () => number } = {},
): ExecutionSupervisor {
  const host = newHost();
  const context = { storage, host, hub: createEventHub(() => {}), logger: silentLogger, now } as const;
  return createExecutionSupervisor({
    context,
    unrecorded: openUnrecordedEnds(home),
    findAdapter: (agent) => adapters.find(({ id }) => id === agent),
    mcpServers: createMcpServerRegistry({ home, config: [], environment: {}, host }),
    repositoryTrust: openRepositoryTrust({ home, files: host.workspaces }),
    gitLfs: openGitLfsFiles({ home, workspaces: host.workspaces }),
    launches: openLaunchJournal(home),
    ...(toolTimeoutMs === undefined ? {} : { toolTimeoutMs }),
    readGeneral: () => ({ systemPrompt: "" }),
  });
}

beforeEach(async () => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "skein-supervisor-")));
  script = "echo started; sleep 1000";
  storage = await openSqliteStorage({ file: join(home, "skein.db") });
  events = [];
  storage.onCommitted((committed) => events.push(...committed.map(({ event }) => event)));
  await storage.transaction(async (tx) => {
    await tx.insertProject(buildProject({ path: home }));
    await tx.insertTask(buildTask({ status: "in-progress" }));
    await tx.insertAttempt(attempt());
    await tx.insertExecution(execution);
  });
  supervisor = newSupervisor();
});

afterEach(async () => {
  await supervisor.close();
  await killExecutionProcesses({ executionId: execution.id });
  await storage.close();
});

const folder = () => createExecutionFolder(join(home, "executions", execution.id));
const prepared = () => ({ execution, attempt: attempt(), message: "go", images: [] });
const runner = () => JSON.parse(readFileSync(folder().runner, "utf8")) as RunnerIdentity;
const waitForText = (text: string) =>
  vi.waitFor(() => expect(events.some((event) => event.type === "message:added" && event.message.content === text)).toBe(true), {
    timeout: 10_000,
  });
const waitForEnd = () =>
  vi.waitFor(
    () => {
      const ended = events.find((event) => event.type === "execution:completed");
      if (ended?.type !== "execution:completed") throw new Error("it runs");
      return ended.status;
    },
    { timeout: 15_000 },
  );

/** As an earlier server left it. */
const startUnowned = () =>
  startRunner({
    executionId: execution.id,
    folder: folder().path,
    socket: join(home, "s.sock"),
    program: "/bin/bash",
    args: ["--norc", "-c", script],
    cwd: home,
    environment: { PATH: process.env.PATH ?? "" },
    stdin: "",
    controlKey: createHmac("sha256", runnerSecret).update(execution.id).digest("base64url"),
    preamble: { notices: [] },
  });

describe("[Q7] no execution is running without a living owner", () => {
  test("[X15] an agent that overwrites what its runner noted cannot keep its execution from ending", async () => {
    script = `echo started; for file in runner.json exit.json; do echo '{"pid":"x"' > '${folder().path}'/$file; done; sleep 1000`;
    await supervisor.launch(prepared());
    await waitForText("started");
    supervisor.stop(execution.id);
    expect(["cancelled", "interrupted"]).toContain(await waitForEnd());
    expect(findExecutionProcesses({ executionId: execution.id })).toEqual([]);
  });

  test("kill -9 of the runner while the server lives: settled as interrupted at once, and its agent ends", async () => {
    await supervisor.launch(prepared());
    await waitForText("started");
    process.kill(runner().pid, "SIGKILL");
    expect(await waitForEnd()).toBe("interrupted");
    expect(findExecutionProcesses({ executionId: execution.id })).toEqual([]);
  });

  test("[Q6] a runner that hangs, as with a driver that blocks it, does not keep its agent from being stopped", async () => {
    await supervisor.launch(prepared());
    await waitForText("started");
    process.kill(runner().pid, "SIGSTOP");
    supervisor.stop(execution.id);
    await vi.waitFor(() => expect(findExecutionProcesses({ executionId: execution.id })).toEqual([]), { timeout: 10_000 });
    await vi.waitFor(() => expect(events.find(({ type }) => type === "execution:completed")).toMatchObject({ status: "cancelled" }), {
      timeout: 20_000,
    });
  }, 40_000);

  test("an execution that is stored as running without a runner is found and settled as interrupted", async () => {
    writeFileSync(folder().claim, "runner 1");
    writeFileSync(folder().runner, JSON.stringify({ pid: 1, startTime: "never", bootId: null, socket: "/nowhere" }));
    await supervisor.reconcile();
    expect(await waitForEnd()).toBe("interrupted");
    expect(await storage.read.listRunningExecutions()).toEqual([]);
  });

  test("a living runner without an owner is attached, with no byte lost or duplicated", async () => {
    script = "echo one; while [ ! -e go ]; do sleep 0.05; done; echo two";
    await startUnowned();
    await supervisor.reconcile();
    await waitForText("one");
    await supervisor.reconcile();
    writeFileSync(join(home, "go"), "");
    expect(await waitForEnd()).toBe("success");
    const said = events.flatMap((event) => (event.type === "message:added" ? [event.message.content] : []));
    expect(said).toEqual(["one", "two"]);
  });

  test("[Q4] reconciling during a launch starts and reports nothing twice", async () => {
    script = "echo ran; echo x >> count";
    await Promise.all([supervisor.launch(prepared()), supervisor.reconcile(), supervisor.launch(prepared()), supervisor.reconcile()]);
    expect(await waitForEnd()).toBe("success");
    expect(readFileSync(join(home, "count"), "utf8")).toBe("x\n");
    expect(events.filter(({ type }) => type === "message:added" || type === "execution:completed")).toHaveLength(2);
  });

  test("after its agent was removed, a running execution is ended, and a message that never started reports the reason", async () => {
    await supervisor.close();
    supervisor = newSupervisor([]);
    await startUnowned();
    await supervisor.reconcile();
    expect(await waitForEnd()).toBe("interrupted");
    expect(findExecutionProcesses({ executionId: execution.id })).toEqual([]);
    const next = buildExecution({ id: testId("exe", process.pid + 1), number: 2 });
    await storage.transaction((tx) => tx.insertExecution(next));
    await supervisor.reconcile();
    await supervisor.waitUntilSettled(next.id);
    const reason = formatText({ code: "agent-not-available", agent: "acp:lines", hint: { code: "agent-removed" } });
    expect(await storage.read.findExecution({ id: next.id })).toMatchObject({ status: "failed", reason });
  });
});

test("an attempt that continues another is launched with that one's history and its own", async () => {
  script = "echo done";
  const histories: string[][] = [];
  const spy: AgentAdapter = {
    ...lines,
    createLaunch(context) {
      histories.push(context.history.map(({ id }) => String(id)));
      return lines.createLaunch(context);
    },
  };
  await supervisor.close();
  supervisor = newSupervisor([spy]);
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
  script = "echo done";
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
  supervisor = newSupervisor([spy]);
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

describe("cleaning up the data dir", () => {
  const common = { home, logger: silentLogger, now: Date.now };
  const tidy = () => {
    const shared = { ...common, storage, home };
    const host = newHost();
    const quarantine = createQuarantine({ ...shared, host, supervisor, launches: openLaunchJournal(home) });
    return tidyDataDir({ ...shared, host, quarantine });
  };

  test("remains of a deleted execution are removed, with its running processes; others stay", async () => {
    await startUnowned();
    const { pid } = runner();
    mkdirSync(join(home, "spill", execution.id), { recursive: true });
    appendFileSync(join(home, "spill", execution.id, "out.txt"), "x");
    await tidy();
    expect(existsSync(folder().runner)).toBe(true);
    await storage.transaction((tx) => tx.deleteTask({ id: execution.taskId }));
    await tidy();
    expect(existsSync(`/proc/${pid}`), "it was not marked as deleted").toBe(true);
    expect(existsSync(folder().runner)).toBe(true);
    await newHost().executions.markDeleted({ ids: [execution.id] });
    await tidy();
    expect([existsSync(join(home, "executions", execution.id)), existsSync(join(home, "spill", execution.id))]).toEqual([false, false]);
    await vi.waitFor(() => expect(existsSync(`/proc/${pid}`)).toBe(false));
    expect(findExecutionProcesses({ executionId: execution.id })).toEqual([]);
  });

  test("names that are not executions are ignored, and so is the socket of a running one", async () => {
    for (const name of ["executions/notes", "run", "spill"]) mkdirSync(join(home, name), { recursive: true });
    writeFileSync(join(home, "executions/notes/a.txt"), "mine");
    for (const name of [`${execution.id}.sock`, "exe_gone.sock", "other"]) writeFileSync(join(home, "run", name), "");
    await tidy();
    expect(existsSync(join(home, "executions/notes/a.txt"))).toBe(true);
    expect([`${execution.id}.sock`, "exe_gone.sock", "other"].map((name) => existsSync(join(home, "run", name)))).toEqual([
      true,
      false,
      true,
    ]);
  });
});

test("[T5] a tool that hangs is settled as timed out by the running server, saved and shown; one that waits for an answer is not", async () => {
  // each line is the id of a tool that begins
  const tools: AgentAdapter = {
    ...lines,
    createDecoder: ({ executionId }) => ({
      decode: ({ text, offset, at }) => {
        const messageId = messageIdSchema.parse(`msg_${executionId}_${offset}`);
        if (text.startsWith("ask ")) return [{ type: "approval-request", toolUseId: text.slice(4), toolName: "bash", input: null, at }];
        if (text.startsWith("end ")) {
          return [{ type: "tool-result", resultId: messageId, toolUseId: text.slice(4), output: "late", isError: false, at }];
        }
        return [{ type: "tool-use", messageId, index: 0, toolUseId: text, toolName: "bash", input: { command: "sleep" }, at }];
      },
      snapshot: () => null,
    }),
  };
  const gate = join(home, "gate");
  script = `echo hangs; echo waits; echo 'ask waits'; until [ -e ${gate} ]; do sleep 0.05; done; echo 'end hangs'; sleep 1000`;
  let clock = 0;
  await supervisor.close();
  supervisor = newSupervisor([tools], { now: () => Date.now() + clock, toolTimeoutMs: () => 120 * 60_000 });
  await supervisor.launch({ execution, attempt: attempt(), message: "go", images: [] });
  const states = async () => {
    const { messages } = await storage.read.listConversationMessages({ attemptId: attempt().id, limit: 10 });
    return messages.map(({ messageType, metadata }) =>
      messageType === "tool_execution" ? [metadata.toolUseId, metadata.state, metadata.annotations?.length ?? 0] : [],
    );
  };
  await vi.waitFor(
    async () =>
      expect(await states()).toEqual([
        ["hangs", "running", 0],
        ["waits", "running", 0],
      ]),
    { timeout: 20_000 },
  );
  await vi.waitFor(() => expect(events.map(({ type }) => type)).toContain("approval:requested"), { timeout: 20_000 });
  await supervisor.reconcile();
  expect(await states()).toEqual([
    ["hangs", "running", 0],
    ["waits", "running", 0],
  ]);

  clock = 121 * 60_000;
  await supervisor.reconcile();
  await vi.waitFor(
    async () =>
      expect(await states()).toEqual([
        ["hangs", "timed-out", 0],
        ["waits", "running", 0],
      ]),
    { timeout: 20_000 },
  );
  // saved first, then shown
  const lastShown = () => events.filter((event) => event.type === "message:added").at(-1);
  await vi.waitFor(() => expect(lastShown()).toMatchObject({ message: { metadata: { state: "timed-out" } } }), { timeout: 20_000 });

  // a result that comes all the same is added to the card
  writeFileSync(gate, "");
  await vi.waitFor(
    async () =>
      expect(await states()).toEqual([
        ["hangs", "timed-out", 1],
        ["waits", "running", 0],
      ]),
    { timeout: 20_000 },
  );
  supervisor.stop(execution.id);
  await supervisor.waitUntilSettled(execution.id);
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
    storage = {
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
  };
  const listEnds = async () =>
    (await storage.read.listExecutions({ attemptId: execution.attemptId })).map((one) => [one.status, "code" in one ? one.code : null]);

  test("does not let the next message start: it can be sent again, and the rest of the queue is paused", async () => {
    script = "echo x >> count; echo done";
    await queue("two", "three");
    beforeCommit(() => supervisor.stop(execution.id));
    supervisor = newSupervisor();
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
    script = "echo x >> count; echo done";
    await queue("two");
    const first = supervisor;
    beforeCommit(() => {
      supervisor.stop(execution.id);
      void supervisor.close(); // as a kill: the end is saved, and nothing after it is done
    });
    supervisor = newSupervisor();
    await supervisor.launch(prepared());
    await vi.waitFor(async () => expect(await listEnds()).toHaveLength(2), { timeout: 15_000 });
    await Promise.all([first.close(), supervisor.close()]);
    supervisor = newSupervisor();
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
  script = `echo 1 >> ${starts}; sleep 0.5; echo -1 >> ${starts}; echo started`;
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
  supervisor = newSupervisor([adapter]);
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
