import { execFileSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import path from "node:path";
import { attemptSchema, commandResultSchema, taskSummarySchema } from "@skein/contracts";
import { describe, expect, it, vi } from "vitest";
import { connect } from "../client/connect.ts";
import { createSandbox, type Sandbox } from "../testing/spawn-skein.ts";

const writes = (file: string) => [
  { toolCalls: [{ name: "write", arguments: { path: file, content: "one\ntwo\n" } }] },
  { text: "Written." },
];

async function openServer(sandbox: Sandbox) {
  const server = sandbox.skein(["serve", "--port", "0"]);
  await server.printed(/is ready/);
  const skein = (...args: string[]) => sandbox.skein(args).ended;
  const run = (steps: unknown[], ...args: string[]) =>
    skein("run", "Write it", "--repo", sandbox.repository, "--permission-mode", "full", "--model", sandbox.script(steps), ...args);
  return { server, skein, run };
}

describe("skein run", () => {
  it("[E2] creates nothing for an agent or model that cannot be used, and reports it once", async () => {
    await using sandbox = createSandbox();
    const { skein } = await openServer(sandbox);
    for (const [args, reason] of [
      [["--model", "nobody/x"], "There is no model “nobody/x”"],
      [["--model", "anthropic/x"], "anthropic/x needs a key"],
      [["--agent", "acp:nobody"], "There is no agent “acp:nobody” here"],
    ] as const) {
      const { code, stdout, stderr } = await skein("run", "Write it", "--repo", sandbox.repository, ...args);
      expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
      expect(stderr.split(reason)).toHaveLength(2);
    }
    expect((await skein("tasks")).stdout).toMatch(/^No tasks yet\./);
    expect(execFileSync("git", ["-C", sandbox.repository, "branch", "--list"], { encoding: "utf8" }).trim()).toBe("* main");
    expect(existsSync(path.join(sandbox.home, "worktrees"))).toBe(false);
  });

  it("prints where the uncommitted changes are, and `skein diff` shows them by an id prefix", async () => {
    await using sandbox = createSandbox();
    const { skein, run } = await openServer(sandbox);
    const { stdout } = await run(writes("made.txt"));
    expect(stdout).toMatch(/Uncommitted changes in the worktree \S+: 1 file\.\nSee them: skein diff att_\w{8,12}\n$/);
    const short = /skein diff (\S+)/.exec(stdout)?.[1] ?? "";
    const { stdout: diff } = await skein("diff", short);
    expect(diff).toBe("created made.txt\n@@ -0,0 +1,2 @@\n+one\n+two\n");
    expect((await skein("diff", short.slice("att_".length), "--stat")).stdout).toMatch(/made\.txt +\+2 −0\n1 file +\+2 −0\n$/);
    // committed changes are not reported as uncommitted
    const commit = "git add -A && git -c user.name=T -c user.email=t@example.com commit -qm made";
    const committed = await run([
      ...writes("made.txt").slice(0, 1),
      { toolCalls: [{ name: "bash", arguments: { command: commit } }] },
      { text: "Ok." },
    ]);
    expect(committed.stdout).toMatch(/Committed on branch \S+: 1 file changed\.\nSee them: skein diff att_/);
  });
});

describe("ids", () => {
  it("an ambiguous prefix lists the candidates; an unknown one explains how to find the ids", async () => {
    await using sandbox = createSandbox();
    const { skein, run } = await openServer(sandbox);
    await run([{ text: "One." }], "--title", "The first");
    await run([{ text: "Two." }], "--title", "The second");
    const ambiguous = await skein("show", "tsk_0");
    expect(ambiguous.code).toBe(1);
    expect(ambiguous.stderr).toMatch(
      /^skein: “tsk_0” is ambiguous\. Write more of the id\.\nIt could be:\n {2}tsk_\w{26} {2}The first\n {2}tsk_\w{26} {2}The second\n$/,
    );
    const unknown = await skein("show", "tsk_zzzz");
    expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining("See the ids: skein tasks") });
    expect(await skein("show", "not an id")).toMatchObject({ code: 2, stderr: expect.stringContaining("is not the id of a task") });
    expect((await skein("shwo")).code).toBe(2);
    expect((await skein("show")).code).toBe(2);
  });

  it("[E4] `show` shows a paused queue, and `resume` continues it", async () => {
    await using sandbox = createSandbox();
    const { server, skein, run } = await openServer(sandbox);
    const waits = { toolCalls: [{ name: "bash", arguments: { command: "until [ -e go ]; do sleep 0.05; done" } }] };
    const running = run([waits, { error: { kind: "auth", message: "401 no" } }]);
    const task = await vi.waitFor(
      async () => {
        const [first] = taskSummarySchema.array().parse(JSON.parse((await skein("tasks", "--json")).stdout));
        if (first?.activity.runningTool === undefined) throw new Error("not running yet");
        return first;
      },
      { timeout: 60_000, interval: 200 },
    );
    const { client } = await connect({ home: sandbox.home });
    await client.post("/api/commands", { type: "SEND_MESSAGE", taskId: task.id, message: "And then this" }, commandResultSchema);
    const { directory } = await client.get(`/api/attempts/${task.activeAttemptId}`, attemptSchema);
    writeFileSync(path.join(directory, "go"), "");
    expect((await running).code).toBe(1);

    expect((await skein("tasks")).stdout).toMatch(/tsk_\S+ +failed, queue paused \(1\) /);
    const short = task.id.slice(0, 14);
    const { stdout } = await skein("show", short);
    expect(stdout).toMatch(/Queue paused\. These messages have not been sent:\n {2}> And then this\nContinue: skein resume tsk_\w{8,}\n$/);
    expect((await skein("resume", short)).stdout).toBe("Sending 1 queued message.\n");
    await vi.waitFor(async () => expect((await skein("show", short)).stdout).toMatch(/^> And then this$/m), { timeout: 60_000 });
    expect((await skein("resume", short)).stdout).toBe("Nothing is queued.\n");
    server.child.kill("SIGTERM");
    await server.ended;
    expect(await skein("resume", short)).toMatchObject({ code: 1, stderr: expect.stringContaining("No Skein server is running") });
  });
});

describe("skein doctor", () => {
  it("names the port of the running server", async () => {
    await using sandbox = createSandbox();
    const { server, skein } = await openServer(sandbox);
    const port = /:(\d+)\/launch/.exec(server.stdout())?.[1];
    const { stdout } = await skein("doctor");
    expect(stdout).toContain(`running at http://127.0.0.1:${port}`);
    expect(stdout).toContain(`ssh -L ${port}:127.0.0.1:${port}`);
    expect(stdout).not.toContain("4180");
  });
});
