import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, statSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, describe, expect, test, vi } from "vitest";
import { listCgroupExecutions } from "./execution-cgroup.ts";
import { type AgentExit, claimExecution, createExecutionFolder, type RunnerIdentity, type RunnerOrder } from "./execution-folder.ts";
import { toLimitMark } from "./marked-command.ts";
import { processTable } from "./process-table.ts";
import { findExecutionProcesses, isProcessAlive, killExecutionProcesses, signalProcess } from "./process-tree.ts";
import { readWhole } from "./read-whole.fixture.ts";
import { connectRunner, isRunnerAlive } from "./runner-connection.ts";
import type { FromRunner } from "./runner-protocol.ts";
import { startRunner } from "./start-runner.ts";

const started: string[] = [];
let counter = 0;

afterEach(async () => {
  for (const executionId of started.splice(0)) await killExecutionProcesses({ executionId });
});

function newOrder(script: string, overrides: Partial<RunnerOrder> = {}) {
  const folder = createExecutionFolder(join(mkdtempSync(join(tmpdir(), "skein-run-")), "e"));
  const executionId = `exe_test${process.pid}x${counter++}`;
  started.push(executionId);
  const order: RunnerOrder = {
    executionId,
    folder: folder.path,
    socket: join(folder.path, "s.sock"),
    program: "/bin/bash",
    args: ["--norc", "-c", script],
    cwd: folder.path,
    environment: { PATH: process.env.PATH ?? "" },
    stdin: "",
    controlKey: "the key",
    preamble: { notices: [] },
    ...overrides,
  };
  return { folder, order, executionId };
}

const waitForExit = (file: string) =>
  vi.waitFor(async () => (await readWhole<AgentExit>(file)) ?? Promise.reject(new Error("no exit yet")), { timeout: 20_000 });
const readLog = (file: string) => readFileSync(file, "utf8");
const head = '\u001e{"type":"log","version":2}\n\u001e{"type":"agent-started"}\n';
const isAlive = (pid: number) => isProcessAlive(pid) && !/\) Z/.test(readFileSync(`/proc/${pid}/stat`, "utf8"));

describe("the runner", () => {
  test("keeps stdout byte for byte and stderr separate, and reports the exit", async () => {
    const { folder, order } = newOrder(`printf 'a\\0\\xff\\n'; echo oops >&2; exit 3`);
    await startRunner(order);
    expect(await waitForExit(folder.exit)).toMatchObject({ exitCode: 3, signal: null });
    expect(readFileSync(folder.log)).toEqual(Buffer.concat([Buffer.from(head), Buffer.from([0x61, 0, 0xff, 0x0a])]));
    expect(readLog(folder.stderr)).toBe("oops\n");
    expect([1, 2, 3].map((entries) => entries * 16)).toContain(readFileSync(folder.times).length);
  });

  test("[X7] the prompt goes by stdin, which stays open for what the server sends later", async () => {
    const { folder, order } = newOrder("while read -r line; do echo got:$line; [ $line = bye ] && exit 0; done", { stdin: "hello\n" });
    await startRunner(order);
    const identity = (await readWhole<RunnerIdentity>(folder.runner)) as RunnerIdentity;
    expect(statSync(identity.socket).mode & 0o777).toBe(0o600);
    const notices: FromRunner[] = [];
    const connection = await connectRunner(identity, "the key", { onReport: (notice) => notices.push(notice), onClose: () => {} });
    connection.send({ type: "stdin", data: "bye\n" });
    expect(await waitForExit(folder.exit)).toMatchObject({ exitCode: 0 });
    expect(readLog(folder.log)).toBe(`${head}got:hello\ngot:bye\n`);
    await vi.waitFor(() => expect(notices.at(-1)).toEqual({ type: "exited" }));
    connection.close();
  });

  test("[Q15] an agent and what it starts give way to the server where a processor is short", async () => {
    const { folder, order } = newOrder("nice; setsid bash -c nice; cat /proc/self/autogroup 2>/dev/null | cut -d ' ' -f 3");
    await startRunner(order);
    await waitForExit(folder.exit);
    const sessions = existsSync("/proc/self/autogroup") ? "5\n" : "";
    expect(readLog(folder.log)).toBe(`${head}5\n5\n${sessions}`);
  });

  test.runIf(existsSync("/proc/self/task"))("[Q15] so do all threads of the runner, from their start", async () => {
    const { folder, order } = newOrder("read -r line", { stdin: "" });
    await startRunner(order);
    const { pid } = (await readWhole<RunnerIdentity>(folder.runner)) as RunnerIdentity;
    const threads = readdirSync(`/proc/${pid}/task`).map((thread) => readLog(`/proc/${pid}/task/${thread}/stat`));
    const niceness = threads.map((stat) => Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[16]));
    expect(niceness.length).toBeGreaterThan(1);
    expect(new Set(niceness)).toEqual(new Set([5]));
  });

  test("a missing program is reported", async () => {
    const { folder, order } = newOrder("", { program: "/no/such/program" });
    await startRunner(order);
    expect((await waitForExit(folder.exit)).startError).toMatch(/ENOENT/);
  });

  test("[Q4] an abandoned execution is never started", async () => {
    const { folder, order } = newOrder("echo ran");
    expect(claimExecution(folder, "server")).toBe(true);
    await expect(startRunner(order)).rejects.toThrow(/ended before it started/);
    expect(await readWhole(folder.runner)).toBeUndefined();
  });

  test("[Q6] stop leaves no descendant alive, also not one that called setsid or ignores signals", async () => {
    const { folder, order, executionId } = newOrder(
      `trap '' TERM; setsid bash -c 'trap "" TERM HUP; echo $$ >> pids; while :; do sleep 0.1; done' & (bash -c 'echo $$ >> pids; sleep 1000' &) ; echo $$ >> pids; echo up; while :; do sleep 0.1; done`,
    );
    await startRunner(order);
    await vi.waitFor(() => expect(readLog(join(folder.path, "pids")).trim().split("\n")).toHaveLength(3), { timeout: 10_000 });
    const pids = readLog(join(folder.path, "pids")).trim().split("\n").map(Number);
    expect(pids.every(isAlive)).toBe(true);
    const connection = await connectRunner((await readWhole<RunnerIdentity>(folder.runner)) as RunnerIdentity, "the key", {
      onReport: () => {},
      onClose: () => {},
    });
    const asked = Date.now();
    connection.send({ type: "stop" });
    const exit = await waitForExit(folder.exit);
    expect(exit.signal).toBe("SIGKILL");
    expect(exit.endedAt - asked).toBeLessThan(5000); // the promise is 5 s, and is a limit, not a measurement
    await vi.waitFor(() => expect(findExecutionProcesses({ executionId })).toEqual([]));
    expect(pids.some((pid) => isProcessAlive(pid) && isAlive(pid))).toBe(false);
    connection.close();
  });

  test.runIf(process.platform === "linux")("an exited process counts as gone, even if it is never reaped", async () => {
    // the shell becomes a program that knows nothing of the child it was given, as the first process of a container
    const parent = spawn("/bin/sh", ["-c", "sleep 0.2 & echo $!; exec sleep 1000"], { stdio: ["ignore", "pipe", "ignore"] });
    try {
      const pid = Number(await text(parent.stdout.take(1)));
      const identity: RunnerIdentity = { pid, startTime: processTable.readStartTime(pid), bootId: processTable.readBootId(), socket: "" };
      expect(isRunnerAlive(identity)).toBe(true);
      await vi.waitFor(() => expect(isRunnerAlive(identity)).toBe(false), { timeout: 10_000 });
      expect(isProcessAlive(pid)).toBe(true);
    } finally {
      parent.kill("SIGKILL");
    }
  });

  test("processes that the agent leaves running end with it, and do not keep the execution open", async () => {
    const { folder, order, executionId } = newOrder("setsid sleep 1000 & echo done");
    await startRunner(order);
    expect(await waitForExit(folder.exit)).toMatchObject({ exitCode: 0 });
    expect(readLog(folder.log)).toBe(`${head}done\n`);
    expect(findExecutionProcesses({ executionId })).toEqual([]);
  });

  describe("before the agent", () => {
    const setup = (script: string, timeoutMs = 20_000) => ({
      script,
      environment: { PATH: process.env.PATH ?? "" },
      timeoutMs,
      doneFile: join(mkdtempSync(join(tmpdir(), "skein-done-")), "done.json"),
    });
    const recordsOf = (log: string) => readLog(log).trim().split("\n");

    test("notices and the setup script come first, in its folder, recorded at the head of the log", async () => {
      const script = setup("echo one; echo two >&2; sleep 0.1; printf schön > made");
      const { folder, order } = newOrder("cat made; cat", { preamble: { notices: ["Look out."], setup: script }, stdin: "in" });
      await startRunner(order);
      const connection = await connectRunner((await readWhole<RunnerIdentity>(folder.runner)) as RunnerIdentity, "the key", {
        onReport: () => {},
        onClose: () => {},
      });
      connection.send({ type: "stdin", data: "put" }); // before there is anybody to read it
      await vi.waitFor(() => expect(readLog(folder.log)).toContain("schöninput"), { timeout: 10_000 });
      connection.send({ type: "stop" });
      await waitForExit(folder.exit);
      const lines = recordsOf(folder.log);
      expect(lines.at(-1)).toBe("schöninput");
      const records = lines.slice(0, -1).map((line) => JSON.parse(line.slice(1)));
      expect(records.filter(({ type }) => type !== "setup-output")).toEqual([
        { type: "log", version: 2 },
        { type: "notice", text: "Look out." },
        { type: "setup-started", script: script.script },
        { type: "setup-ended", exitCode: 0, signal: null, timedOut: false, stdout: "one\n", stderr: "two\n" },
        { type: "agent-started" },
      ]);
      expect(existsSync(script.doneFile)).toBe(true);
      connection.close();
    });

    test.each([
      ["fails", setup("echo no; exit 3"), { code: "setup-failed", exitCode: 3 }],
      ["takes too long", setup("setsid sleep 1000 & sleep 1000", 300), { code: "setup-timed-out", seconds: 0 }],
    ])("a setup that %s keeps the agent from starting, and leaves nothing behind", async (_name, script, notStarted) => {
      const { folder, order, executionId } = newOrder("echo ran", { preamble: { notices: [], setup: script } });
      await startRunner(order);
      expect((await waitForExit(folder.exit)).notStarted).toEqual(notStarted);
      expect(recordsOf(folder.log).map((line) => JSON.parse(line.slice(1)).type)).not.toContain("agent-started");
      expect([readLog(folder.log).includes('"ran'), existsSync(script.doneFile)]).toEqual([false, false]);
      expect(findExecutionProcesses({ executionId })).toEqual([]);
    });

    test("[Q6] a stop ends the setup with all that it started, and no agent starts", async () => {
      const script = setup(
        "trap '' TERM; setsid sh -c 'trap \"\" TERM; while :; do sleep 0.1; done' & echo up; while :; do sleep 0.1; done",
      );
      const { folder, order, executionId } = newOrder("echo ran", { preamble: { notices: [], setup: script } });
      await startRunner(order);
      await vi.waitFor(() => expect(readLog(folder.log)).toContain("up"), { timeout: 10_000 });
      const connection = await connectRunner((await readWhole<RunnerIdentity>(folder.runner)) as RunnerIdentity, "the key", {
        onReport: () => {},
        onClose: () => {},
      });
      connection.send({ type: "stop" });
      expect(await waitForExit(folder.exit)).toMatchObject({ exitCode: null, signal: "SIGTERM" });
      await vi.waitFor(() => expect(findExecutionProcesses({ executionId })).toEqual([]));
      expect(existsSync(script.doneFile)).toBe(false);
      connection.close();
    });
  });

  test("[E10, X15] only a client with the key controls the agent; others are rejected and reported, without side effects", async () => {
    const { folder, order } = newOrder("while read -r line; do echo got:$line; [ $line = bye ] && exit 0; done");
    await startRunner(order);
    const { socket } = (await readWhole<RunnerIdentity>(folder.runner)) as RunnerIdentity;
    for (const line of [
      '{"type":"stdin","data":"forged\\n"}',
      '{"type":"stdin","data":"forged\\n","key":"a guess"}',
      '{"type":"stop","key":null}',
      "null",
      "no JSON",
    ]) {
      const attacker = connect(socket);
      attacker.on("error", () => {});
      attacker.resume();
      attacker.write(`${line}\n`);
      await once(attacker, "close");
    }
    const notices: FromRunner[] = [];
    const connection = await connectRunner({ socket }, "the key", { onReport: (notice) => notices.push(notice), onClose: () => {} });
    connection.send({ type: "stdin", data: "bye\n" });
    expect(await waitForExit(folder.exit)).toMatchObject({ exitCode: 0, refusedControl: true });
    expect(readLog(folder.log)).toBe(`${head}got:bye\n`);
    expect(notices).toContainEqual({ type: "control-refused" });
    connection.close();
  });

  describe.runIf(process.platform === "linux")("what left the agent's session and environment", () => {
    /** An orphan: its own session, no environment, parent 1, and none of our files open. */
    const leave = "cd / && env -i setsid -f sh -c 'echo $$ > PIDS; exec sleep 1000' < /dev/null > /dev/null 2>&1";
    const escaping = (rest: string, overrides: Partial<RunnerOrder> = {}) => {
      const pids = join(mkdtempSync(join(tmpdir(), "skein-escaped-")), "pid");
      const { folder, order, executionId } = newOrder(`${leave}; ${rest}`.replaceAll("PIDS", pids), overrides);
      const readPid = () =>
        vi.waitFor(() => {
          const pid = Number(readFileSync(pids, "utf8"));
          expect(pid).toBeGreaterThan(1);
          return pid;
        });
      return { folder, order, executionId, readPid };
    };

    test("[Q6] is ended when the agent ends", async () => {
      const { folder, order, readPid } = escaping("while [ ! -s PIDS ]; do sleep 0.05; done; echo done");
      await startRunner(order);
      const pid = await readPid();
      await waitForExit(folder.exit);
      await vi.waitFor(() => expect(processTable.readStartTime(pid)).toBeNull());
    });

    test("[Q6] is ended by a stop", async () => {
      const { folder, order, readPid } = escaping("sleep 1000");
      await startRunner(order);
      const pid = await readPid();
      const identity = (await readWhole<RunnerIdentity>(folder.runner)) as RunnerIdentity;
      const connection = await connectRunner(identity, "the key", { onReport: () => {}, onClose: () => {} });
      connection.send({ type: "stop" });
      await waitForExit(folder.exit);
      await vi.waitFor(() => expect(processTable.readStartTime(pid)).toBeNull());
      connection.close();
    });

    test("[Q6] is found by its inherited mark alone, where there is no cgroup and no runner any more", async () => {
      const { folder, order, executionId, readPid } = escaping("sleep 1000");
      await startRunner(order);
      const pid = await readPid();
      signalProcess(((await readWhole<RunnerIdentity>(folder.runner)) as RunnerIdentity).pid, "SIGKILL");
      expect(readFileSync(`/proc/${pid}/limits`, "utf8")).toContain(` ${toLimitMark(executionId)} `);
      expect(findExecutionProcesses({ executionId })).toContain(pid);
      await killExecutionProcesses({ executionId });
      await vi.waitFor(() => expect(processTable.readStartTime(pid)).toBeNull());
    });

    test("[Q6] is in the execution's cgroup, where there can be one, and the cgroup is gone at the end", async () => {
      const { folder, order, executionId, readPid } = escaping("sleep 1; echo done");
      await startRunner(order);
      const pid = await readPid();
      const { cgroup } = (await readWhole<RunnerIdentity>(folder.runner)) as RunnerIdentity;
      if (cgroup !== undefined) expect(listCgroupExecutions(readFileSync(`/proc/${pid}/cgroup`, "utf8"))).toEqual([executionId]);
      await waitForExit(folder.exit);
      if (cgroup !== undefined) expect(existsSync(cgroup)).toBe(false);
    });

    test("[Q6] processes of other executions, or of none, are not ended with it", async () => {
      const bystander = spawn("sleep", ["1000"], { detached: true, stdio: "ignore" });
      const other = escaping("sleep 1000");
      await startRunner(other.order);
      const otherPid = await other.readPid();
      const { folder, order } = escaping("true");
      await startRunner(order);
      await waitForExit(folder.exit);
      expect([isProcessAlive(bystander.pid ?? 0), isProcessAlive(otherPid)]).toEqual([true, true]);
      bystander.kill("SIGKILL");
    });

    test("[Q6] a process that got the pid of an agent that is gone is left alone", async () => {
      const stranger = spawn("sleep", ["1000"], { detached: true, stdio: "ignore" });
      await killExecutionProcesses({ executionId: "exe_nobody", roots: [{ pid: stranger.pid ?? 0, startTime: "1" }] });
      expect(processTable.readStartTime(stranger.pid ?? 0)).not.toBeNull();
      stranger.kill("SIGKILL");
    });
  });

  test("the agent keeps the user's umask: the socket is private by other means", async () => {
    const { folder, order } = newOrder("umask");
    await startRunner(order);
    await waitForExit(folder.exit);
    expect(Number.parseInt(readLog(folder.log).slice(head.length), 8)).toBe(process.umask());
  });

  test("[Q7] the identity distinguishes a dead runner from a living process with its pid", async () => {
    const { folder, order } = newOrder("sleep 1000");
    await startRunner(order);
    const identity = (await readWhole<RunnerIdentity>(folder.runner)) as RunnerIdentity;
    expect(isRunnerAlive(identity)).toBe(true);
    expect(isRunnerAlive({ ...identity, pid: process.pid })).toBe(false);
    expect(isRunnerAlive({ ...identity, bootId: "another boot" })).toBe(false);
    signalProcess(identity.pid, "SIGKILL");
    await vi.waitFor(() => expect(isRunnerAlive(identity)).toBe(false));
    expect(await readWhole(folder.exit)).toBeUndefined();
  });
});
