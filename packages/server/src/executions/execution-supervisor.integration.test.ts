import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { messageIdSchema } from "@skein/contracts";
import { type AgentAdapter, formatText } from "@skein/engine";
import { findExecutionProcesses } from "@skein/host/testing";
import { buildExecution, testId } from "@skein/testkit";
import { describe, expect, test, vi } from "vitest";
import { openLaunchJournal } from "../data-dir/launch-journal.ts";
import { createQuarantine } from "../services/quarantine.ts";
import { tidyDataDir } from "../services/tidy-data-dir.ts";
import { silentLogger } from "../silent-logger.fixture.ts";
import {
  attempt,
  events,
  execution,
  folder,
  home,
  lines,
  newHost,
  newSupervisor,
  prepared,
  runner,
  set,
  setUpEachTest,
  startUnowned,
  storage,
  supervisor,
  waitForEnd,
  waitForText,
} from "./supervisor.fixture.ts";

setUpEachTest();

describe("[Q7] no execution is running without a living owner", () => {
  test("[X15] an agent that overwrites what its runner noted cannot keep its execution from ending", async () => {
    set({ script: `echo started; for file in runner.json exit.json; do echo '{"pid":"x"' > '${folder().path}'/$file; done; sleep 1000` });
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
    set({ script: "echo one; while [ ! -e go ]; do sleep 0.05; done; echo two" });
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
    set({ script: "echo ran; echo x >> count" });
    await Promise.all([supervisor.launch(prepared()), supervisor.reconcile(), supervisor.launch(prepared()), supervisor.reconcile()]);
    expect(await waitForEnd()).toBe("success");
    expect(readFileSync(join(home, "count"), "utf8")).toBe("x\n");
    expect(events.filter(({ type }) => type === "message:added" || type === "execution:completed")).toHaveLength(2);
  });

  test("after its agent was removed, a running execution is ended, and a message that never started reports the reason", async () => {
    await supervisor.close();
    set({ supervisor: newSupervisor([]) });
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
  set({ script: `echo hangs; echo waits; echo 'ask waits'; until [ -e ${gate} ]; do sleep 0.05; done; echo 'end hangs'; sleep 1000` });
  let clock = 0;
  await supervisor.close();
  set({ supervisor: newSupervisor([tools], { now: () => Date.now() + clock, toolTimeoutMs: () => 120 * 60_000 }) });
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
