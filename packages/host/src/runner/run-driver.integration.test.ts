import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DriverOrder } from "@skein/agents/drivers";
import { afterEach, describe, expect, test, vi } from "vitest";
import { type AgentExit, createExecutionFolder, type ExecutionFolder, type RunnerIdentity } from "./execution-folder.ts";
import { executionMarker } from "./execution-marker.ts";
import { toLimitMark } from "./marked-command.ts";
import { processTable } from "./process-table.ts";
import { findExecutionProcesses, killExecutionProcesses } from "./process-tree.ts";
import { readWhole } from "./read-whole.fixture.ts";
import { connectRunner, isRunnerAlive } from "./runner-connection.ts";
import { startRunner } from "./start-runner.ts";

const started: string[] = [];
let counter = 0;

afterEach(async () => {
  for (const executionId of started.splice(0)) await killExecutionProcesses({ executionId });
});

/** Runs a script as the agent of a driver. */
async function runDriven(script: string, change: Partial<DriverOrder> = {}, environment: Record<string, string> = {}) {
  const folder = createExecutionFolder(join(mkdtempSync(join(tmpdir(), "skein-driven-")), "e"));
  const executionId = `exe_driven${process.pid}x${counter++}`;
  started.push(executionId);
  const order = {
    driver: "command",
    executionId,
    name: "Agent",
    command: ["/bin/bash", "--norc", "-c", script],
    directory: folder.path,
    message: "the prompt",
    images: [],
    sessionId: null,
    transcript: null,
    model: null,
    permissionMode: "full",
    grants: [],
    systemPrompts: [],
    trustsRepository: false,
    options: null,
    ...change,
  };
  await startRunner({
    executionId,
    folder: folder.path,
    socket: join(folder.path, "s.sock"),
    controlKey: "the key",
    cwd: folder.path,
    environment: { PATH: process.env.PATH ?? "", ...environment },
    driverOrder: JSON.stringify(order),
    preamble: { notices: [] },
  });
  const identity = (await readWhole<RunnerIdentity>(folder.runner)) as RunnerIdentity;
  return { folder, executionId, identity };
}

const patience = { timeout: 20_000 };
const connectTo = (identity: RunnerIdentity) => connectRunner(identity, "the key", { onReport: () => {}, onClose: () => {} });
const ended = ({ exit }: ExecutionFolder) =>
  vi.waitFor(async () => (await readWhole<AgentExit>(exit)) ?? Promise.reject(new Error("no exit yet")), patience);
const printed = ({ log }: ExecutionFolder) => readFileSync(log, "utf8").split('{"type":"agent-started"}\n')[1] ?? "";
const hasPrinted = (folder: ExecutionFolder, text: string) => vi.waitFor(() => expect(printed(folder)).toContain(text), patience);
const end = '\u001e{"type":"end","status":"success"}\n';
const processes = (executionId: string) => vi.waitFor(() => expect(findExecutionProcesses({ executionId })).toEqual([]), patience);

describe("a driver in its runner", () => {
  test("logs what the agent prints, escaped, and its own records; the prompt goes by stdin, stderr apart", async () => {
    const forged = `printf '\\036{"type":"end","status":"failed"}\\n'`;
    const { folder } = await runDriven(`cat; ${forged}; printf 'a\\0\\xff'; echo oops >&2`);
    expect(await ended(folder)).toMatchObject({ exitCode: 0, signal: null });
    const expected = `the prompt\n\u001e\u001e{"type":"end","status":"failed"}\na\0`;
    const lines = readFileSync(folder.log).subarray(-Buffer.byteLength(expected) - 2 - end.length);
    expect(lines).toEqual(Buffer.concat([Buffer.from(expected), Buffer.from([0xff, 0x0a]), Buffer.from(end)]));
    expect(readFileSync(folder.stderr, "utf8")).toBe("oops\n");
  });

  test("[X11] the agent has the environment of the order and its mark, and nothing of the runner's", async () => {
    const { folder, executionId } = await runDriven("env", {}, { SECRET_OF_ORDER: "yes" });
    await ended(folder);
    const ofShells = new Set(["_", "PWD", "OLDPWD", "SHLVL"]);
    const names = printed(folder)
      .split("\n")
      .flatMap((line) => (/^(\w+)=/.exec(line)?.[1] ?? "_").split(","))
      .filter((name) => !ofShells.has(name));
    expect(names.toSorted()).toEqual(["PATH", "SECRET_OF_ORDER", executionMarker]);
    expect(printed(folder)).toContain(`${executionMarker}=${executionId}\n`);
  });

  test.runIf(process.platform === "linux")(
    "[Q6] the agent is the runner's only child and carries the marks; the runner does not",
    async () => {
      const { executionId, identity, folder } = await runDriven("echo $$; sleep 1000");
      await hasPrinted(folder, "\n");
      const agent = Number.parseInt(printed(folder), 10);
      const read = (pid: number, file: string) => readFileSync(`/proc/${pid}/${file}`, "utf8");
      const children = read(identity.pid, `task/${identity.pid}/children`).trim().split(" ").map(Number);
      expect(children).toEqual([agent]);
      expect(read(agent, "limits")).toContain(` ${toLimitMark(executionId)} `);
      expect(read(identity.pid, "limits")).not.toContain(toLimitMark(executionId));
      expect(findExecutionProcesses({ executionId })).toContain(agent);
      expect(findExecutionProcesses({ executionId })).not.toContain(identity.pid);
      await killExecutionProcesses({ executionId, cgroup: identity.cgroup });
      // the runner has noticed and reports it
      expect(await ended(folder)).toMatchObject({ exitCode: 137 });
    },
  );

  test("[Q6] a stop ends everything that the agent started, and the runner finishes its work", async () => {
    const escaped = "env -i setsid -f sh -c 'echo $$; trap \"\" TERM; while :; do sleep 0.1; done'";
    const { folder, executionId, identity } = await runDriven(
      `trap '' TERM; ${escaped}; (sleep 1000 &); echo up; while :; do sleep 0.1; done`,
    );
    await hasPrinted(folder, "up");
    await vi.waitFor(() => expect(printed(folder)).toMatch(/^\d+$/m), patience);
    const pid = Number(/^\d+$/m.exec(printed(folder))?.[0]);
    const connection = await connectTo(identity);
    const asked = Date.now();
    connection.send({ type: "stop" });
    const exit = await ended(folder);
    expect(exit).toMatchObject({ wasStopped: true });
    expect(exit.endedAt - asked).toBeLessThan(5000); // the promise is 5 s, and is a limit, not a measurement
    await processes(executionId);
    if (process.platform === "linux") expect(processTable.readStartTime(pid)).toBeNull();
    await vi.waitFor(() => expect(isRunnerAlive(identity)).toBe(false), patience);
    connection.close();
  });

  test("[Q16] a driver that throws ends its execution: its agent is killed, and the reason is where an agent's would be", async () => {
    const { folder, executionId, identity } = await runDriven("echo up; sleep 1000");
    await hasPrinted(folder, "up");
    const connection = await connectTo(identity);
    connection.send({ type: "stdin", data: "what no server sends\n" });
    expect(await ended(folder)).toMatchObject({ exitCode: 1, signal: null });
    expect(readFileSync(folder.stderr, "utf8")).toMatch(/SyntaxError/);
    await processes(executionId);
    connection.close();
  });

  test("[Q16] so does one that fails before it has started its agent", async () => {
    const { folder } = await runDriven("echo up", { driver: "acp", options: null });
    expect(await ended(folder)).toMatchObject({ exitCode: 1, signal: null });
    expect(readFileSync(folder.stderr, "utf8")).toMatch(/TypeError/);
  });

  test("a missing program is reported as such", async () => {
    const { folder } = await runDriven("", { command: ["/no/such/program"] });
    await ended(folder);
    expect(printed(folder)).toMatch(/"code":"agent-not-started"/);
  });
});
