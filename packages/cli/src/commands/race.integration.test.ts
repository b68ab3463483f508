import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { projectSchema, projectScriptsSchema } from "@skein/contracts";
import { describe, expect, it } from "vitest";
import { connect } from "../client/connect.ts";
import { createSandbox, type Sandbox } from "../testing/spawn-skein.ts";

const writes = (content: string) => [{ toolCalls: [{ name: "write", arguments: { path: "result.txt", content } }] }, { text: "Written." }];
const works = [{ toolCalls: [{ name: "bash", arguments: { command: "until [ -e go ]; do sleep 0.05; done" } }] }, { text: "Done." }];

async function openServer(sandbox: Sandbox) {
  const server = sandbox.skein(["serve", "--port", "0"]);
  await server.printed(/is ready/);
  const skein = (...args: string[]) => sandbox.skein(args).ended;
  const racer = (steps: unknown[]) => ["--with", `native:${sandbox.script(steps)}`];
  const race = ["race", "Do it", "--repo", sandbox.repository, "--permission-mode", "full"];
  return { server, skein, racer, race };
}

async function trustCheck(sandbox: Sandbox): Promise<void> {
  mkdirSync(path.join(sandbox.repository, ".skein"));
  writeFileSync(path.join(sandbox.repository, ".skein/project.json"), JSON.stringify({ check: "cat *.txt | grep -q good && echo fine" }));
  const git = (...args: string[]) => execFileSync("git", ["-C", sandbox.repository, ...args]);
  git("add", "-A");
  git("-c", "user.name=T", "-c", "user.email=t@example.com", "commit", "-qm", "check");
  await using connection = await connect({ home: sandbox.home });
  const { client } = connection;
  const project = await client.post("/api/projects", { path: sandbox.repository }, projectSchema);
  const { hash } = await client.get(`/api/projects/${project.id}/scripts`, projectScriptsSchema);
  await client.post(`/api/projects/${project.id}/scripts/trust`, { hash }, projectScriptsSchema);
}

describe("skein race", () => {
  it("[L4] prints what changes, names the best attempt and why, and exits with 0 because one passed; skein check runs it again", async () => {
    await using sandbox = createSandbox();
    const { skein, racer, race } = await openServer(sandbox);
    await trustCheck(sandbox);
    const { code, stdout } = await skein(...race, ...racer(writes("bad\n")), ...racer(writes("good\n")), "--check");
    expect(stdout).toMatch(/^#1 native: success, checks: failed \(1\)$/m);
    expect(stdout).toMatch(/^#2 native: success, checks: passed$/m);
    expect(stdout).toContain("#2 is the best: checks passed, the only one.");
    const [, best = ""] = /To land it: skein land (\S+)/.exec(stdout) ?? [];
    expect(code).toBe(0);
    expect(await skein("check", best)).toMatchObject({ code: 0, stdout: "fine\nChecks passed.\n" });
    const other = await skein("check", best, "--last", "--json");
    expect(JSON.parse(other.stdout)).toMatchObject({ isOutdated: false, check: { state: "passed", exitCode: 0 } });

    const failed = await skein(...race, ...racer(writes("bad\n")), ...racer(writes("worse\n")), "--json");
    expect(failed.code).toBe(1);
    const lines = failed.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { type: string });
    expect(lines.at(-1)).toMatchObject({ type: "result", winner: null, verdict: "not-passed", passed: 0 });
  });

  it("[L4] wrong usage and a missing check create nothing; Ctrl-C leaves the race running, and says how to see and stop it", async () => {
    await using sandbox = createSandbox();
    const { skein, racer, race } = await openServer(sandbox);
    expect(await skein(...race, ...racer(works))).toMatchObject({ code: 2, stderr: expect.stringContaining("two agents or more") });
    expect(await skein(...race, "--with", "codex:", "--with", "native")).toMatchObject({ code: 2 });
    const unchecked = await skein(...race, ...racer(works), ...racer(works), "--check");
    expect(unchecked).toMatchObject({ code: 1, stderr: expect.stringContaining("The project has no check script.") });
    expect((await skein("tasks")).stdout).toMatch(/^No tasks yet\./);

    const running = sandbox.skein([...race, ...racer(works), ...racer(works)]);
    await running.printed(/#1 native: running/);
    await running.printed(/#2 native: running/);
    running.child.kill("SIGINT");
    const { code, stderr } = await running.ended;
    expect(code).toBe(130);
    expect(stderr).toContain("2 attempts continue without this command.");
    const [, id = ""] = /skein race-stop (\S+)/.exec(stderr) ?? [];
    expect(await skein("race-stop", id)).toMatchObject({ code: 0, stdout: "Stopped: 2 agents, 0 checks.\n" });
    expect(await skein("race-wait", id)).toMatchObject({ code: 1, stdout: expect.stringContaining("cancelled") });
  });
});
