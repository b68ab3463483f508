import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { attemptIdSchema } from "@skein/contracts";
import { beforeEach, describe, expect, it } from "vitest";
import { git, newRepository, newWorktree } from "../git/repository.fixture.ts";
import { commitFiles } from "./commit-files.ts";
import { pushBranch } from "./push-branch.ts";
import { readHooks } from "./read-hooks.ts";

const environment = { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "" };

function writeProgram(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `#!/bin/sh\n${text}\n`);
  chmodSync(path, 0o755);
}

async function start() {
  const path = newRepository();
  git(path, "config", "user.name", "Ada");
  git(path, "config", "user.email", "ada@example.invalid");
  const worktree = await newWorktree(path);
  const { folder, directory, baseCommit } = worktree;
  const trusted = async () => ({ hash: (await readHooks(folder)).hash ?? "none", environment });
  return {
    ...{ path, ...worktree, trusted },
    hook: (name: string, text: string) => writeProgram(join(path, ".git/hooks", name), text),
    write: (name: string, text: string) => writeFileSync(join(directory, name), text),
    commit: async (hooks?: Awaited<ReturnType<typeof trusted>>) =>
      commitFiles({ folder, attemptId: attemptIdSchema.parse("att_1"), baseCommit, message: "Work", hooks: hooks ?? (await trusted()) }),
    last: () => git(directory, "log", "-1", "--format=%B").trim(),
  };
}
let at: Awaited<ReturnType<typeof start>>;
beforeEach(async () => {
  at = await start();
});

describe("trusted hooks", () => {
  it("[G2] run in git's order; they see what is committed, may change it, and may change the message", async () => {
    const { hook, write, directory, commit, last } = at;
    hook("pre-commit", "echo pre >> order; git diff --cached --name-only >> seen; echo formatted > a.txt; git add a.txt");
    hook("prepare-commit-msg", 'echo "prepare $2" >> order; printf "\\nTicket: 7\\n" >> "$1"');
    hook("commit-msg", 'echo "message" >> order; grep -q Ticket "$1"; echo checked');
    hook("post-commit", "echo post >> order; git log -1 --format=%s >> order; exit 1");
    write(".gitignore", "order\nseen\n");
    write("a.txt", "raw\n");
    const done = await commit();
    expect(readFileSync(join(directory, "order"), "utf8").split("\n")).toEqual(["pre", "prepare message", "message", "post", "Work", ""]);
    expect(readFileSync(join(directory, "seen"), "utf8").split("\n")).toEqual([".gitignore", "a.txt", ""]);
    expect(last()).toBe("Work\n\nTicket: 7");
    expect(git(directory, "show", "HEAD:a.txt")).toBe("formatted\n");
    expect(git(directory, "status", "--porcelain")).toBe("");
    expect(done).toMatchObject({ files: 2, hookOutput: "checked\n" });
  });

  it("[G2] that fail refuse the commit with their output, and nothing is changed", async () => {
    const { hook, write, directory, commit } = at;
    const head = git(directory, "rev-parse", "HEAD");
    write("a.txt", "changed\n");
    for (const name of ["pre-commit", "prepare-commit-msg", "commit-msg"]) {
      hook(name, "echo 2 problems >&2; exit 1");
      await expect(commit()).rejects.toMatchObject({ text: { code: "hook-refused", hook: name, output: "2 problems" } });
      hook(name, "true");
    }
    expect([git(directory, "rev-parse", "HEAD"), git(directory, "status", "--porcelain")]).toEqual([head, " M a.txt\n"]);
    hook("pre-commit", "git reset --quiet HEAD -- a.txt");
    await expect(commit()).rejects.toMatchObject({ code: "nothing-to-commit" });
  });

  it("[X16] are not run once a hook or a setting of the repository is another one", async () => {
    const { hook, write, path, directory, commit, trusted, folder } = at;
    hook("pre-commit", "echo ran >> ../ran");
    const before = await trusted();
    write("a.txt", "changed\n");
    git(path, "config", "branch.main.remote", "origin");
    git(path, "config", "remote.origin.url", "https://example.invalid/r.git");
    expect(await trusted()).toEqual(before);
    git(path, "config", "core.fsmonitor", "/bin/evil");
    await expect(commit(before)).rejects.toMatchObject({ code: "hooks-changed" });
    git(path, "config", "--unset", "core.fsmonitor");
    hook("pre-commit", "echo evil");
    await expect(commit(before)).rejects.toMatchObject({ code: "hooks-changed" });
    git(path, "config", "include.path", "other");
    expect(await readHooks(folder)).toMatchObject({
      hash: null,
      hooks: [{ name: "pre-commit" }],
      problem: { code: "git-settings-included" },
    });
    expect([existsSync(join(directory, "../ran")), git(directory, "log", "--format=%s").trim()]).toEqual([false, "first"]);
  });

  it("[X16] are not run once a setting names a program in a section whose name looks like a harmless setting", async () => {
    const { hook, write, path, commit, trusted } = at;
    hook("pre-commit", "git fetch --quiet");
    const before = await trusted();
    write("a.txt", "changed\n");
    const config = readFileSync(join(path, ".git/config"), "utf8");
    const added = [
      '[remote "x.url=y"]\n\tuploadpack = /bin/evil\n',
      '[remote "x.fetch=y"]\n\tuploadpack = /bin/evil\n',
      '[remote "x"]\n\turl = /tmp/with-hooks.git\n',
    ];
    for (const section of added) {
      writeFileSync(join(path, ".git/config"), `${config}${section}`);
      await expect(commit(before), section).rejects.toMatchObject({ code: "hooks-changed" });
    }
  });

  it("[X16] that call git read the repository's settings, whatever the worktree's own files name as the repository", async () => {
    const { hook, write, path, directory, commit, folder } = at;
    hook("pre-commit", "git status --porcelain > /dev/null");
    const evil = `${path}-evil`;
    cpSync(join(path, ".git"), evil, { recursive: true });
    writeProgram(`${path}-program`, "echo ran > ../canary; exit 1");
    git(path, "--git-dir", evil, "config", "core.fsmonitor", `${path}-program`);
    writeFileSync(join(folder.gitDir, "commondir"), `${evil}\n`);
    write("a.txt", "changed\n");
    await commit().catch(() => {});
    expect(existsSync(join(directory, "../canary"))).toBe(false);
  });

  it("[X16] of the folder itself, by a link or as husky has them, are covered with what they run", async () => {
    const { path, directory, folder, hook } = at;
    writeProgram(join(directory, ".husky/_/pre-commit"), '. "$(dirname "$0")/h"');
    writeProgram(join(directory, ".husky/_/h"), "true");
    writeProgram(join(directory, ".husky/pre-commit"), "node check.mjs");
    writeFileSync(join(directory, "check.mjs"), "");
    git(path, "config", "core.hooksPath", ".husky/_");
    const husky = await readHooks(folder);
    expect(Object.keys(husky.loaded.files).toSorted()).toEqual([".husky/_/h", ".husky/_/pre-commit", ".husky/pre-commit", "check.mjs"]);
    git(path, "config", "--unset", "core.hooksPath");
    mkdirSync(join(path, ".git/hooks"), { recursive: true });
    writeProgram(join(path, "hook.sh"), "sh scripts/lint.sh");
    mkdirSync(join(directory, "scripts"));
    writeFileSync(join(directory, "scripts/lint.sh"), "");
    symlinkSync(join(path, "hook.sh"), join(path, ".git/hooks/pre-commit"));
    expect(await readHooks(folder)).toMatchObject({
      hooks: [{ name: "pre-commit" }],
      loaded: { files: { "scripts/lint.sh": expect.any(String) } },
    });
    // one that cannot be executed is none
    hook("pre-push", "true");
    chmodSync(join(path, ".git/hooks/pre-push"), 0o644);
    expect((await readHooks(folder)).hooks.map(({ name }) => name)).toEqual(["pre-commit"]);
  });

  it("[G6] pre-push gets what is pushed, and refuses it", async () => {
    const { path, hook, write, directory, commit, folder, branch, trusted } = at;
    const remote = `${path}-remote.git`;
    git(path, "init", "--quiet", "--bare", remote);
    git(path, "remote", "add", "origin", remote);
    write("a.txt", "changed\n");
    hook("pre-push", 'cat > ../pushed; echo "$1 $2" >> ../pushed; test ! -e ../refuse || { echo no; exit 1; }');
    await commit();
    writeFileSync(join(directory, "../refuse"), "");
    const push = async () => pushBranch({ folder, baseBranch: "main", hooks: await trusted() });
    await expect(push()).rejects.toMatchObject({ text: { code: "hook-refused", hook: "pre-push", output: "no" } });
    expect(git(remote, "for-each-ref").trim()).toBe("");
    writeFileSync(join(directory, "../pushed"), "");
    rmSync(join(directory, "../refuse"));
    expect(await push()).toMatchObject({ remote: "origin" });
    const head = git(directory, "rev-parse", "HEAD").trim();
    expect(readFileSync(join(directory, "../pushed"), "utf8")).toBe(
      `refs/heads/${branch} ${head} refs/heads/${branch} ${"0".repeat(40)}\norigin ${remote}\n`,
    );
  });
});
