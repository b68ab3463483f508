import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { startForgeServer } from "@skein/testkit/forge-servers";
import { describe, expect, it, vi } from "vitest";
import { connect } from "../client/connect.ts";
import { findRunningServer } from "../client/running-server.ts";
import { parseIdPrefix, resolveAttempt } from "../ids/resolve-id.ts";
import { createSandbox } from "../testing/spawn-skein.ts";

const write = (content: string, text: string) => [{ toolCalls: [{ name: "write", arguments: { path: "made.txt", content } }] }, { text }];

/** What has no command. */
async function request(home: string, method: string, route: string, body: unknown): Promise<void> {
  const server = await findRunningServer(home);
  const headers = { authorization: `Bearer ${server?.token}`, "content-type": "application/json" };
  const response = await fetch(new URL(route, server?.url), { method, headers, body: JSON.stringify(body) });
  expect(response.status).toBe(200);
}

describe("pull requests", () => {
  it("[G6, G7] from a task to a merged pull request, with a failing check sent to the agent in between", async () => {
    await using sandbox = createSandbox();
    const { repository, home } = sandbox;
    await using forge = await startForgeServer({ kind: "github", root: path.join(path.dirname(home), "forge") });
    mkdirSync(home, { mode: 0o700 });
    writeFileSync(path.join(home, "config.json"), JSON.stringify({ forges: { [forge.host]: { kind: "github" } } }), { mode: 0o600 });
    const git = (...args: string[]) => execFileSync("git", ["-C", repository, ...args], { encoding: "utf8" });
    git("config", "user.name", "Ada");
    git("config", "user.email", "ada@example.invalid");
    git("remote", "add", "origin", forge.remoteUrl);
    git("push", "--quiet", path.join(forge.world.root, "acme/app.git"), "main");
    const skein = (...args: string[]) => sandbox.skein(args).ended;
    const server = sandbox.skein(["serve", "--port", "0"]);
    await server.printed(/is ready/);
    const run = await skein(
      "run",
      "Write it",
      "--repo",
      repository,
      "--permission-mode",
      "full",
      "--model",
      sandbox.script(write("one\n", "Written.")),
    );
    const id = /skein diff (\S+)/.exec(run.stdout)?.[1] ?? "";
    await skein("commit", id, "-m", "Add it");

    expect(await skein("pr", id, "--status")).toMatchObject({ code: 1, stderr: expect.stringContaining("no pull request") });
    // without a token: what to do, and nothing was pushed
    const refused = await skein("pr", id);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining(`There is no token for ${forge.host}.`) });
    expect(forge.world.git("branch", "--list", "skein/*")).toBe("");
    await request(home, "PUT", `/api/settings/forges/${forge.host}`, { kind: "github", token: forge.token });

    const created = await skein("pr", id, "--title", "Add a file", "--draft");
    expect(created.stdout).toMatch(/^Created the pull request\.\n#1 Add a file\nState +draft, skein\/\S+ → main\nPage +http/);
    expect((await skein("pr", id, "--ready")).stdout).toMatch(/^Updated the pull request\.\n#1 Add a file\nState +open/);
    expect(forge.world.getPull(1)).toMatchObject({
      title: "Add a file",
      body: "## Summary\n\nWritten.\n\n## Changes\n\n- `made.txt` (new)",
    });

    forge.world.setCheck(1, { name: "test", state: "failure", summary: "1 failed", log: "expected two\n" });
    const failed = await skein("pr", id, "--status");
    expect(failed.code).toBe(1);
    expect(failed.stdout).toMatch(/Checks +✗ test\nNext: skein pr \S+ --send-feedback \(1 failed check\)\n$/);
    await using connection = await connect({ home });
    const attemptId = await resolveAttempt(connection.client, parseIdPrefix(id));
    await request(home, "PATCH", `/api/attempts/${attemptId}`, { model: sandbox.script(write("two\n", "Fixed.")) });
    expect((await skein("pr", id, "--send-feedback")).stdout).toMatch(/^Sent the failed checks and comments to the agent\./);
    expect(await skein("pr", id, "--send-feedback")).toMatchObject({ code: 1, stderr: expect.stringContaining("no failed checks") });
    await vi.waitFor(async () => expect((await skein("git", id)).stdout).toContain("Uncommitted  1 file"), {
      timeout: 60_000,
      interval: 500,
    });
    await vi.waitFor(async () => expect(await skein("commit", id, "-m", "Fix it")).toMatchObject({ code: 0 }), {
      timeout: 30_000,
      interval: 500,
    });
    expect(JSON.parse((await skein("pr", id, "--json")).stdout)).toMatchObject({ outcome: "updated", pullRequest: { number: 1 } });
    expect(forge.world.git("show", `${forge.world.getPull(1).head}:made.txt`)).toBe("two");

    forge.world.setCheck(1, { name: "test", state: "success" });
    forge.world.merge(1);
    expect(await skein("pr", id, "--status")).toMatchObject({ code: 0, stdout: expect.stringMatching(/State +merged/) });
    expect((await skein("tasks")).stdout).toMatch(/done/);
    expect(forge.violations).toEqual([]);
  });
});
