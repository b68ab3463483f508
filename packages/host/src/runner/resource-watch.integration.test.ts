import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseLogRecord } from "@skein/contracts/log-record";
import { readFrame } from "@skein/contracts/record-frame";
import { afterEach, describe, expect, test, vi } from "vitest";
import { checkCgroupLimits, createExecutionCgroup, limitCgroup, takeOomKills } from "./execution-cgroup.ts";
import { type AgentExit, createExecutionFolder, type RunnerOrder } from "./execution-folder.ts";
import { findExecutionProcesses, killExecutionProcesses } from "./process-tree.ts";
import { readWhole } from "./read-whole.fixture.ts";
import type { RunnerLimits } from "./resource-watch.ts";
import { startRunner } from "./start-runner.ts";

const megabyte = 1024 ** 2;
const started: string[] = [];
afterEach(async () => {
  for (const executionId of started.splice(0)) await killExecutionProcesses({ executionId });
});

/** Runs a shell script as an agent. */
async function run(script: string, limits: RunnerLimits = {}) {
  const folder = createExecutionFolder(join(mkdtempSync(join(tmpdir(), "skein-limit-")), "e"));
  const executionId = `exe_limits${process.pid}x${started.length}`;
  started.push(executionId);
  const order: RunnerOrder = {
    ...{ executionId, folder: folder.path, socket: join(folder.path, "s.sock"), cwd: folder.path },
    ...{ program: "/bin/bash", args: ["--norc", "-c", script], environment: { PATH: process.env.PATH ?? "" } },
    ...{ stdin: "", controlKey: "the key", preamble: { notices: [] }, limits },
  };
  await startRunner(order);
  const lines = () => readFileSync(folder.log, "utf8").split("\n");
  return {
    executionId,
    path: folder.path,
    untilEnd: () =>
      vi.waitFor(async () => (await readWhole<AgentExit>(folder.exit)) ?? Promise.reject(new Error("no exit yet")), { timeout: 60_000 }),
    lines,
    notices: () =>
      lines().flatMap((line) => {
        const frame = readFrame(line);
        const record = frame.type === "record" ? parseLogRecord(frame.json) : undefined;
        return record?.type === "notice" ? [record.text] : [];
      }),
  };
}

/** Uses a megabyte more each time, at most 600. */
const greedy = `${process.execPath} -e "const kept = []; const more = () => { kept.push(Buffer.alloc(${megabyte}, 1)); if (kept.length < 600) setTimeout(more, 2); else setTimeout(() => {}, 60000); }; more();"`;

/** Two processes for each, down to a depth: 511 in all, whose parents do not wait for them. */
const multiplying = `f() { if [ $1 -gt 0 ]; then f $(($1 - 1)) & f $(($1 - 1)) & fi; exec sleep 120; }; ( f 8 & ) ; sleep 0.1`;

const untilGo = "until [ -e go ]; do sleep 0.1; done";

describe("limits of an execution", () => {
  test("[L7] a tool that uses too much memory is ended, by name, and its agent and other executions continue", async () => {
    const other = await run(`${untilGo}; echo other done`, { memoryBytes: 300 * megabyte });
    const one = await run(`printf 'half a '; ${greedy}; echo "line, tool ended with $?"; echo continued`, { memoryBytes: 300 * megabyte });
    expect(await one.untilEnd()).toMatchObject({ exitCode: 0 });
    expect(one.lines()).toContain("half a line, tool ended with 137");
    expect(one.lines()).toContain("continued");
    expect(one.notices()).toEqual([
      { code: "program-over-limit", resource: "memory", limit: 300 * megabyte, used: expect.any(Number), names: ["node"], more: 0 },
    ]);
    writeFileSync(join(other.path, "go"), "");
    expect(await other.untilEnd()).toMatchObject({ exitCode: 0, signal: null });
    expect(other.notices()).toEqual([]);
  });

  test("[L7] an agent that uses too much itself is ended, and its end says so", async () => {
    const one = await run(`exec ${greedy}`, { memoryBytes: 200 * megabyte });
    const exit = await one.untilEnd();
    expect(exit).toMatchObject({ signal: "SIGKILL", overLimit: { resource: "memory", limit: 200 * megabyte } });
    expect(exit.overLimit?.used).toBeGreaterThan(200 * megabyte);
  });

  test("[L7] a program that multiplies is ended with everything that it started, and nothing else is", async () => {
    const other = await run(`${untilGo}; echo other done`, { processes: 100 });
    const server = "sleep 1000 & echo $! > server";
    const one = await run(
      `${server}; sleep 2; ${multiplying}; until [ -e go ]; do read -t 0.1 < /dev/zero; done; kill -0 $(cat server) && echo intact`,
      {
        processes: 100,
      },
    );
    await vi.waitFor(() => expect(one.notices()).toHaveLength(1), { timeout: 60_000 });
    expect(one.notices()[0]).toMatchObject({ code: "program-over-limit", resource: "processes", limit: 100 });
    await vi.waitFor(() => expect(findExecutionProcesses({ executionId: one.executionId }).length).toBeLessThan(5), { timeout: 20_000 });
    for (const { path } of [one, other]) writeFileSync(join(path, "go"), "");
    expect(await one.untilEnd()).toMatchObject({ exitCode: 0 });
    expect(one.lines()).toContain("intact");
    expect(await other.untilEnd()).toMatchObject({ exitCode: 0 });
    expect(other.lines()).toContain("other done");
  });

  test("[L7] without limits the same programs are left alone: the tests can fail", async () => {
    const one = await run(`${multiplying}; ${untilGo}`, {});
    await vi.waitFor(() => expect(findExecutionProcesses({ executionId: one.executionId }).length).toBeGreaterThan(300), {
      timeout: 60_000,
    });
    expect(one.notices()).toEqual([]);
    writeFileSync(join(one.path, "go"), "");
    expect(await one.untilEnd()).toMatchObject({ exitCode: 0 });
    expect(findExecutionProcesses({ executionId: one.executionId })).toEqual([]);
  });
});

describe("limits that the kernel enforces", () => {
  /** Folders as in a systemd user session; the kernel would create the files of a new cgroup. */
  function newPlace() {
    const mount = mkdtempSync(join(tmpdir(), "skein-cgroups-"));
    const own = join(mount, "app.slice/terminal.scope");
    mkdirSync(own, { recursive: true });
    for (const [folder, content] of [
      [mount, "cpu memory pids"],
      [join(mount, "app.slice"), "memory pids"],
      [own, ""],
    ] as const) {
      writeFileSync(join(folder, "cgroup.subtree_control"), content);
      writeFileSync(join(folder, "cgroup.procs"), "");
    }
    return { mount, own };
  }

  test("[L7] the cgroup is in the nearest one whose children can have limits, and gets them", () => {
    const place = newPlace();
    const path = createExecutionCgroup("exe_1", place) ?? "";
    expect(path).toBe(join(place.mount, "app.slice/skein-exe_1"));
    // a cgroup without the controllers has no such files
    expect(limitCgroup(path, { memoryBytes: 4096 * megabyte, processes: 100 })).toEqual({ memory: false, processes: false });
    for (const name of ["memory.max", "memory.swap.max", "pids.max"]) writeFileSync(join(path, name), "");
    expect(limitCgroup(path, { memoryBytes: 4096 * megabyte, processes: 100 })).toEqual({ memory: true, processes: true });
    const read = (name: string): string => readFileSync(join(path, name), "utf8");
    expect([read("memory.max"), read("memory.swap.max"), read("pids.max")]).toEqual([String(4096 * megabyte), "0", "100"]);
    expect(takeOomKills(path, "exe_1")).toBe(0);
    writeFileSync(join(path, "memory.events"), "low 0\nhigh 0\nmax 12\noom 1\noom_kill 2\noom_group_kill 0\n");
    expect([takeOomKills(path, "exe_1"), takeOomKills(path, "exe_1")]).toEqual([2, 0]);
  });

  test("[L7] where no cgroup can have limits, it is in that of the server, for finding its processes alone", () => {
    const { mount, own } = newPlace();
    for (const folder of [mount, join(mount, "app.slice")]) writeFileSync(join(folder, "cgroup.subtree_control"), "cpu");
    expect(createExecutionCgroup("exe_1", { mount, own })).toBe(join(own, "skein-exe_1"));
  });

  test.runIf(checkCgroupLimits())("[L7] on this machine: the kernel ends the program, and the conversation says so", async () => {
    const one = await run(`${greedy}; echo "ended with $?"`, { memoryBytes: 300 * megabyte });
    expect(await one.untilEnd()).toMatchObject({ exitCode: 0 });
    expect(one.lines()).toContain("ended with 137");
    expect(one.notices()).toMatchObject([{ code: "program-over-limit", resource: "memory" }]);
  });
});
