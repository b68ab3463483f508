import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { formatText } from "@skein/engine";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { isAlive } from "./is-alive.fixture.ts";
import { createToolFixture, type ToolFixture } from "./tool-fixture.ts";

let fixture: ToolFixture;
beforeEach(async () => {
  fixture = await createToolFixture();
});
afterEach(() => fixture.remove());

const server = "sleep 300 & echo $$ $! > pids; echo ready; wait";
/** The ids of the shell and of what it started. */
async function startServer(): Promise<number[]> {
  expect(await fixture.call("bash", { command: server, background: true })).toMatchObject({
    state: "completed",
    structured: { backgroundTaskId: "job_1" },
  });
  await fixture.call("job_output", { jobId: "job_1", waitSeconds: 30, waitFor: "ready" });
  const pids = (await readFile(join(fixture.root, "pids"), "utf8")).trim().split(" ").map(Number);
  expect(pids.map(isAlive)).toEqual([true, true]);
  return pids;
}

describe("jobs", () => {
  test("[N1] a job keeps running during other calls, and returns only new output", async () => {
    await fixture.call("write", { path: "go.sh", content: "echo one; while [ ! -e stop ]; do sleep 0.02; done; echo two; exit 3\n" });
    const started = await fixture.call("bash", { command: "sh go.sh", background: true });
    expect(started.output).toContain("started as job_1");
    const first = await fixture.call("job_output", { jobId: "job_1", waitSeconds: 30, waitFor: "one" });
    expect(`${started.output}\n${first.output}`).toMatch(/^one$/m);
    expect((await fixture.call("jobs", {})).output).toBe("job_1 runs sh go.sh");
    await fixture.call("write", { path: "stop", content: "" });
    expect(await fixture.call("job_output", { jobId: "job_1", waitSeconds: 30 })).toEqual({
      output: "two\n[job_1 has ended with exit code 3]",
      state: "completed",
      structured: { command: "sh go.sh", stdout: "two\n", stderr: "", exitCode: 3 },
    });
    expect((await fixture.call("job_output", { jobId: "job_1" })).output).toBe("(nothing new)\n[job_1 has ended with exit code 3]");
  });

  test("[N2] job_stop ends a job with everything that it started", async () => {
    const pids = await startServer();
    expect(await fixture.call("job_stop", { jobId: "job_1" })).toMatchObject({
      state: "completed",
      output: expect.stringContaining("was stopped"),
    });
    expect(pids.filter(isAlive)).toEqual([]);
  });

  test("[N2] the end of the execution ends every job completely, and reports which still ran", async () => {
    const pids = await startServer();
    await fixture.call("bash", { command: "true", background: true }, { toolUseId: "call_3" });
    await fixture.call("job_output", { jobId: "job_2", waitSeconds: 30 });
    expect(formatText((await fixture.jobs.endAll()) ?? "")).toContain(server);
    expect(pids.filter(isAlive)).toEqual([]);
    expect(await fixture.jobs.endAll()).toBeUndefined();
  });

  test("[Q17] a long command is shown without half a character", async () => {
    for (const before of ["", "x"]) {
      await fixture.call("bash", { command: `sleep 300 # ${before}${"🧵".repeat(300)}`, background: true });
    }
    expect((await fixture.call("jobs", {})).output.isWellFormed()).toBe(true);
    expect(formatText((await fixture.jobs.endAll()) ?? "\ud800").isWellFormed()).toBe(true);
  });

  test("a job that cannot start is reported at once", async () => {
    const result = await fixture.call("bash", { command: "no-such-program-here", background: true });
    const later = await fixture.call("job_output", { jobId: "job_1", waitSeconds: 30 });
    expect(`${result.output}${later.output}`).toMatch(/not found/);
    expect(`${result.output}${later.output}`).toContain("127");
  });

  test("[N2] a stop ends the waiting", async () => {
    await startServer();
    const controller = new AbortController();
    const waiting = fixture.call("job_output", { jobId: "job_1", waitSeconds: 300 }, { signal: controller.signal });
    controller.abort(new Error("stopped"));
    await expect(waiting).rejects.toThrow("stopped");
  });

  test("[N3] output is bounded and kept whole in a file", async () => {
    await fixture.call("write", { path: "go.sh", content: "while [ ! -e go ]; do sleep 0.02; done; yes 😀 | head -c 200000\n" });
    await fixture.call("bash", { command: "sh go.sh", background: true });
    await fixture.call("write", { path: "go", content: "" });
    const { output } = await fixture.call("job_output", { jobId: "job_1", waitSeconds: 30 });
    expect(output.length).toBeLessThan(34_000);
    expect(output.isWellFormed()).toBe(true);
    const file = /the whole output is in (\S+)\]/.exec(output)?.[1] ?? "";
    expect((await readFile(file)).length).toBe(200_000);
  });

  test("an unknown job and too many jobs are reported", async () => {
    expect(await fixture.call("job_output", { jobId: "job_7" })).toMatchObject({
      state: "failed",
      output: expect.stringContaining("None"),
    });
    const start = (number: number) => fixture.call("bash", { command: "sleep 300", background: true }, { toolUseId: `c${number}` });
    await Promise.all(Array.from({ length: 16 }, (_, number) => start(number)));
    expect(await start(16)).toMatchObject({ state: "failed", output: expect.stringContaining("Too many") });
    expect(await fixture.call("job_stop", { jobId: "job_99" })).toMatchObject({
      state: "failed",
      output: expect.stringContaining("job_16"),
    });
  });
});

describe("the working directory of a command", () => {
  test("is one inside the working folder", async () => {
    await mkdir(join(fixture.root, "sub"));
    expect((await fixture.call("bash", { command: "pwd", workingDirectory: "sub" })).output).toContain(join(fixture.root, "sub"));
    for (const workingDirectory of ["..", "/", "nope"]) {
      expect(await fixture.call("bash", { command: "pwd", workingDirectory })).toMatchObject({ state: "failed" });
    }
  });
});
