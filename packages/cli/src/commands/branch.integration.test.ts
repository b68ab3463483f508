import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { createSandbox } from "../testing/spawn-skein.ts";

const steps = [
  { text: "Write a file\n\nIt is new.", toolCalls: [{ name: "write", arguments: { path: "made.txt", content: "one\n" } }] },
  { text: "Written." },
];

describe("landing the work", () => {
  it("[G3] forks an attempt from its last execution, and from before it with another message", async () => {
    await using sandbox = createSandbox();
    const { repository } = sandbox;
    const skein = (...args: string[]) => sandbox.skein(args).ended;
    const server = sandbox.skein(["serve", "--port", "0"]);
    await server.printed(/is ready/);
    const run = await skein("run", "Write it", "--repo", repository, "--permission-mode", "full", "--model", sandbox.script(steps));
    const id = /skein diff (\S+)/.exec(run.stdout)?.[1] ?? "";

    const forked = await skein("fork", id);
    expect(forked.stdout).toMatch(/^Forked attempt 1 as attempt 2 \(att_\w+\), with the files of after exe_\w+, in .+\.\n$/);
    const directory = /, in (.+)\.\n$/.exec(forked.stdout)?.[1] ?? "";
    expect(readFileSync(path.join(directory, "made.txt"), "utf8")).toBe("one\n");
    const execution = /exe_\w+/.exec(forked.stdout)?.[0] ?? "";
    const other = sandbox.script([{ text: "Not written." }]);
    const resent = await skein("fork", id, "--execution", execution, "--before", "--message", "Do not write it", "--model", other);
    expect(resent).toMatchObject({ code: 0, stdout: expect.stringContaining("Not written.") });
    expect(await skein("fork", id, "--execution", "nonsense")).toMatchObject({ code: 2 });
    expect((await skein("fork", id)).stdout).toMatch(/attempt 4 /);
  });

  it("[G2, G3, G4, G5, G6] from a task to a pushed and merged change, with what to do next at each step", async () => {
    await using sandbox = createSandbox();
    const { repository } = sandbox;
    const git = (...args: string[]) => execFileSync("git", ["-C", repository, ...args], { encoding: "utf8" });
    git("config", "user.name", "Ada");
    git("config", "user.email", "ada@example.invalid");
    const skein = (...args: string[]) => sandbox.skein(args).ended;
    const server = sandbox.skein(["serve", "--port", "0"]);
    await server.printed(/is ready/);
    const run = await skein("run", "Write it", "--repo", repository, "--permission-mode", "full", "--model", sandbox.script(steps));
    const id = /skein diff (\S+)/.exec(run.stdout)?.[1] ?? "";

    expect((await skein("git", id)).stdout).toMatch(/Commits +0 ahead, 0 behind\nUncommitted +1 file\nNext: skein commit/);
    expect(await skein("land", id)).toMatchObject({ code: 1, stderr: expect.stringContaining("1 changed file is not committed.") });
    const discarded = await skein("discard", id, "made.txt");
    expect(discarded.stdout).toMatch(/^Discarded the changes of 1 file\. Undo: skein restore \S+ --to refs\/skein\/safety\//);
    const ref = /--to (\S+)/.exec(discarded.stdout)?.[1] ?? "";
    expect((await skein("restore", id, "--to", ref)).stdout).toMatch(/^Restored 1 file\./);
    expect(await skein("restore", id, "--to", "nowhere")).toMatchObject({ code: 2 });
    expect(await skein("commit", id)).toMatchObject({ code: 2, stderr: expect.stringContaining("--suggest") });
    const suggested = { code: 0, stdout: "Write a file\n\nIt is new.\n", stderr: expect.stringContaining("Suggested by scripted/") };
    expect(await skein("commit", id, "--suggest")).toMatchObject(suggested);
    expect((await skein("commit", id, "-m", "Add it")).stdout).toMatch(/^Committed 1 file as [0-9a-f]{10}\.\n$/);

    writeFileSync(path.join(repository, "theirs.txt"), "theirs\n");
    git("add", "--all");
    git("commit", "--quiet", "--message", "Theirs");
    expect((await skein("git", id)).stdout).toMatch(/1 ahead, 1 behind[\s\S]*Next: skein update/);
    expect((await skein("update", id)).stdout).toMatch(/^Updated: the branch is now at/);
    expect((await skein("update", id)).stdout).toBe("Already up to date.\n");

    expect(await skein("push", id)).toMatchObject({ code: 1, stderr: expect.stringContaining("no remote to push to") });
    const remote = path.join(sandbox.home, "remote.git");
    git("init", "--quiet", "--bare", remote);
    git("remote", "add", "origin", remote);
    expect((await skein("push", id)).stdout).toMatch(/^Pushed skein\/\S+ to origin\.\n$/);

    const landed = await skein("land", id, "--method", "fast-forward", "--json");
    expect(JSON.parse(landed.stdout)).toMatchObject({ method: "fast-forward", branch: "main" });
    expect(readFileSync(path.join(repository, "made.txt"), "utf8")).toBe("one\n");
    expect(git("log", "--format=%an %s", "-1").trim()).toBe("Ada Add it");
    expect((await skein("tasks")).stdout).toMatch(/done/);
    expect((await skein("land", id, "--undo")).stdout).toBe("The landing was undone.\n");
    expect(git("log", "--format=%s", "-1").trim()).toBe("Theirs");
    expect(git("status", "--porcelain")).toBe("");
    await skein("land", id, "--method", "squash");
    const state = (await skein("git", id)).stdout;
    expect(state).toMatch(/Commits +0 ahead, 0 behind\n[\s\S]*Landed +on main as/);
    expect(state).not.toContain("Next:");
  });
});
