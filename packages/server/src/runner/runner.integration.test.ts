import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, describe, expect, test, vi } from "vitest";
import {
  type AgentExit,
  claimExecution,
  createExecutionFolder,
  type RunnerIdentity,
  type RunnerOrder,
  readWhole,
} from "./execution-folder.ts";
import {
  findExecutionProcesses,
  isProcessAlive,
  killExecutionProcesses,
  readBootId,
  readProcessStartTime,
  signalProcess,
} from "./process-tree.ts";
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
    ...overrides,
  };
  return { folder, order, executionId };
}

const waitForExit = (file: string) =>
  vi.waitFor(async () => (await readWhole<AgentExit>(file)) ?? Promise.reject(new Error("no exit yet")), { timeout: 20_000 });
const readLog = (file: string) => readFileSync(file, "utf8");
const isAlive = (pid: number) => isProcessAlive(pid) && !/\) Z/.test(readFileSync(`/proc/${pid}/stat`, "utf8"));

describe("the runner", () => {
  test("keeps stdout byte for byte, stderr apart, and tells how it ended", async () => {
    const { folder, order } = newOrder(`printf 'a\\0\\xff\\n'; echo oops >&2; exit 3`);
    await startRunner(order);
    expect(await waitForExit(folder.exit)).toMatchObject({ exitCode: 3, signal: null });
    expect(readFileSync(folder.log)).toEqual(Buffer.from([0x61, 0, 0xff, 0x0a]));
    expect(readLog(folder.stderr)).toBe("oops\n");
    expect(readFileSync(folder.times).length).toBe(16);
  });

  test("[X7] the prompt goes by stdin, which stays open for what the server sends later", async () => {
    const { folder, order } = newOrder("while read -r line; do echo got:$line; [ $line = bye ] && exit 0; done", { stdin: "hello\n" });
    await startRunner(order);
    const identity = (await readWhole<RunnerIdentity>(folder.runner)) as RunnerIdentity;
    expect(statSync(identity.socket).mode & 0o777).toBe(0o600);
    const notices: FromRunner[] = [];
    const connection = await connectRunner(identity, { onNotice: (notice) => notices.push(notice), onClose: () => {} });
    connection.send({ type: "stdin", data: "bye\n" });
    expect(await waitForExit(folder.exit)).toMatchObject({ exitCode: 0 });
    expect(readLog(folder.log)).toBe("got:hello\ngot:bye\n");
    await vi.waitFor(() => expect(notices.at(-1)).toEqual({ type: "exited" }));
    connection.close();
  });

  test("a program that is not there is told, not lost", async () => {
    const { folder, order } = newOrder("", { program: "/no/such/program" });
    await startRunner(order);
    expect((await waitForExit(folder.exit)).startError).toMatch(/ENOENT/);
  });

  test("[Q4] an execution that was given up is never started", async () => {
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
    const connection = await connectRunner((await readWhole<RunnerIdentity>(folder.runner)) as RunnerIdentity, {
      onNotice: () => {},
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

  test.runIf(process.platform === "linux")("one that ended is gone, also where nobody collects it", async () => {
    // the shell becomes a program that knows nothing of the child it was given, as the first process of a container
    const parent = spawn("/bin/sh", ["-c", "sleep 0.2 & echo $!; exec sleep 1000"], { stdio: ["ignore", "pipe", "ignore"] });
    try {
      const pid = Number(await text(parent.stdout.take(1)));
      const identity: RunnerIdentity = { pid, startTime: readProcessStartTime(pid), bootId: readBootId(), socket: "" };
      expect(isRunnerAlive(identity)).toBe(true);
      await vi.waitFor(() => expect(isRunnerAlive(identity)).toBe(false), { timeout: 10_000 });
      expect(isProcessAlive(pid)).toBe(true);
    } finally {
      parent.kill("SIGKILL");
    }
  });

  test("what the agent leaves running ends with it, and does not keep the execution open", async () => {
    const { folder, order, executionId } = newOrder("setsid sleep 1000 & echo done");
    await startRunner(order);
    expect(await waitForExit(folder.exit)).toMatchObject({ exitCode: 0 });
    expect(readLog(folder.log)).toBe("done\n");
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

    test("what is to be said and the setup script come first, in its folder, told at the head of the log", async () => {
      const script = setup("echo one; echo two >&2; sleep 0.1; printf schön > made");
      const { folder, order } = newOrder("cat made; cat", { preamble: { notices: ["Look out."], setup: script }, stdin: "in" });
      await startRunner(order);
      const connection = await connectRunner((await readWhole<RunnerIdentity>(folder.runner)) as RunnerIdentity, {
        onNotice: () => {},
        onClose: () => {},
      });
      connection.send({ type: "stdin", data: "put" }); // before there is anybody to read it
      await vi.waitFor(() => expect(readLog(folder.log)).toContain("schöninput"), { timeout: 10_000 });
      connection.send({ type: "stop" });
      await waitForExit(folder.exit);
      const lines = recordsOf(folder.log);
      expect(lines.at(-1)).toBe("schöninput");
      const records = lines.slice(0, -1).map((line) => JSON.parse(line));
      expect(records.filter(({ skein }) => skein !== "setup-output")).toEqual([
        { skein: "notice", text: "Look out." },
        { skein: "setup-started", script: script.script },
        { skein: "setup-ended", exitCode: 0, signal: null, timedOut: false, stdout: "one\n", stderr: "two\n" },
        { skein: "agent" },
      ]);
      expect(existsSync(script.doneFile)).toBe(true);
      connection.close();
    });

    test.each([
      ["fails", setup("echo no; exit 3"), /failed with exit code 3, so that the agent was not started/],
      ["takes too long", setup("setsid sleep 1000 & sleep 1000", 300), /did not end within 0 seconds/],
    ])("a setup that %s keeps the agent from starting, and leaves nothing behind", async (_name, script, sentence) => {
      const { folder, order, executionId } = newOrder("echo ran", { preamble: { notices: [], setup: script } });
      await startRunner(order);
      expect((await waitForExit(folder.exit)).notStarted).toMatch(sentence);
      expect(recordsOf(folder.log).map((line) => JSON.parse(line).skein)).not.toContain("agent");
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
      const connection = await connectRunner((await readWhole<RunnerIdentity>(folder.runner)) as RunnerIdentity, {
        onNotice: () => {},
        onClose: () => {},
      });
      connection.send({ type: "stop" });
      expect(await waitForExit(folder.exit)).toMatchObject({ exitCode: null, signal: "SIGTERM" });
      await vi.waitFor(() => expect(findExecutionProcesses({ executionId })).toEqual([]));
      expect(existsSync(script.doneFile)).toBe(false);
      connection.close();
    });
  });

  test("an agent makes files that others can use: what keeps the socket private is not its umask", async () => {
    const { folder, order } = newOrder("umask");
    await startRunner(order);
    await waitForExit(folder.exit);
    expect(Number.parseInt(readLog(folder.log), 8)).toBe(process.umask());
  });

  test("[Q7] the identity tells a dead runner from a living process with its pid", async () => {
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
