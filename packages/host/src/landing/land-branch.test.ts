import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Landing } from "@skein/contracts";
import { chooseGitStep } from "@skein/engine";
import { beforeEach, describe, expect, it } from "vitest";
import { commit, git, openRepository } from "../git/repository.fixture.ts";
import { commitFiles } from "./commit-files.ts";
import { landBranch, undoLanding } from "./land-branch.ts";
import { attemptId, startAttempt } from "./landing.fixture.ts";
import { readGitState } from "./read-git-state.ts";
import { updateBranch } from "./update-branch.ts";

let at: Awaited<ReturnType<typeof startAttempt>>;
beforeEach(async () => {
  at = await startAttempt();
});

describe("land", () => {
  const land = (options: Partial<Parameters<typeof landBranch>[0]> = {}) =>
    landBranch({ ...at.next(), repository: at.repository, baseBranch: "main", method: "squash", message: "Do it", ...options });

  async function work(): Promise<void> {
    at.write("a.txt", "mine\n");
    await commitFiles({ ...at.place, message: "One" });
    at.write("b.txt", "more\n");
    await commitFiles({ ...at.place, message: "Two" });
  }

  it.each([
    ["fast-forward", ["Two", "One", "numbers", "first"]],
    ["squash", ["Do it", "numbers", "first"]],
    ["merge", ["Do it", "numbers", "first"]],
  ] as const)(
    "[G5] %s into a branch that is checked out and clean changes the checkout, too; undo takes it back",
    async (method, subjects) => {
      const { path, repository } = at;
      await work();
      const landing = await land({ method });
      expect(git(path, "log", "--first-parent", "--format=%s", "main").trim().split("\n")).toEqual(subjects);
      expect(readFileSync(join(path, "b.txt"), "utf8")).toBe("more\n");
      expect(git(path, "status", "--porcelain")).toBe("");
      await expect(land({ method })).rejects.toMatchObject({ code: "nothing-to-land" });
      await undoLanding({ repository, attemptId, landing });
      expect(git(path, "log", "-1", "--format=%s", "main").trim()).toBe("numbers");
      expect(existsSync(join(path, "b.txt"))).toBe(false);
      expect(git(path, "status", "--porcelain")).toBe("");
    },
  );

  it("[G5] a checkout with changes, staged or not, is refused and untouched; on another branch only the ref moves", async () => {
    const { path } = at;
    await work();
    writeFileSync(join(path, "dirty.txt"), "dirty\n");
    await expect(land()).rejects.toMatchObject({ code: "base-checked-out-dirty" });
    git(path, "add", "dirty.txt");
    rmSync(join(path, "dirty.txt"));
    await expect(land()).rejects.toMatchObject({ code: "base-checked-out-dirty" });
    git(path, "reset", "--quiet", "--hard");
    git(path, "switch", "--quiet", "-c", "other");
    writeFileSync(join(path, "dirty.txt"), "dirty\n");
    await land();
    expect(existsSync(join(path, "b.txt"))).toBe(false);
    expect(git(path, "status", "--porcelain")).toBe("?? dirty.txt\n");
    expect(git(path, "show", "main:b.txt")).toBe("more\n");
  });

  it.each([
    ["without a line end", (head: string) => writeFileSync(head, "ref: refs/heads/main")],
    ["with other white space", (head: string) => writeFileSync(head, "ref:\trefs/heads/main \n")],
    ["that is a link", (head: string) => [rmSync(head), symlinkSync("refs/heads/main", head)]],
  ])("[G5] a checkout whose HEAD is a file %s is found: with changes it is refused and untouched", async (_, write) => {
    const { path } = at;
    await work();
    write(join(path, ".git/HEAD"));
    writeFileSync(join(path, "a.txt"), "mine\n");
    await expect(land()).rejects.toMatchObject({ code: "base-checked-out-dirty" });
    expect(readFileSync(join(path, "a.txt"), "utf8")).toBe("mine\n");
  });

  it("[G5] a base that is checked out in another worktree is refused", async () => {
    const { path } = at;
    await work();
    git(path, "switch", "--quiet", "-c", "other");
    git(path, "worktree", "add", "--quiet", `${path}-wt`, "main");
    await expect(land()).rejects.toMatchObject({ code: "base-checked-out-elsewhere" });
  });

  it("[G5] a base that moved: squash merges cleanly, fast-forward and a conflict are refused", async () => {
    const { path } = at;
    await work();
    writeFileSync(join(path, "theirs.txt"), "theirs\n");
    commit(path, "on main");
    await expect(land({ method: "fast-forward" })).rejects.toMatchObject({ code: "base-not-fast-forward" });
    await land();
    expect(git(path, "show", "main:theirs.txt") + git(path, "show", "main:b.txt")).toBe("theirs\nmore\n");
    git(path, "reset", "--quiet", "--hard", "HEAD^");
    writeFileSync(join(path, "a.txt"), "other\n");
    commit(path, "conflict");
    await expect(land()).rejects.toMatchObject({ code: "behind-base" });
  });

  it("[G5] after a squash the branch is landed; a later commit is ahead again, and only that is landed or rebased", async () => {
    const { path, write, place, next, directory, folder, baseCommit } = at;
    const state = (landing: Landing | null) =>
      readGitState({ folder, attemptId, isolation: "worktree", baseBranch: "main", baseCommit, isRunning: false, landing });
    const commitLine = async (line: string) => {
      write("a.txt", `${line}\n`);
      await commitFiles({ ...place, message: line });
    };
    await commitLine("first");
    await commitLine("second");
    const landing = await land({ method: "squash" });
    expect(landing.head).toBe(git(directory, "rev-parse", "HEAD").trim());
    const landed = await state(landing);
    expect(landed).toMatchObject({ ahead: 0, behind: 0, obstacles: { land: { text: { code: "nothing-to-land" } } } });
    expect(chooseGitStep({ ...landed, pullRequest: null })).toBe("none");
    await expect(land({ method: "squash", landed: landing })).rejects.toMatchObject({ code: "nothing-to-land" });

    // the same line again: without the landing, both sides would have changed it
    await commitLine("third");
    const again = await state(landing);
    expect([again.ahead, again.behind, chooseGitStep({ ...again, pullRequest: null })]).toEqual([1, 0, "land"]);
    writeFileSync(join(path, "theirs.txt"), "theirs\n");
    commit(path, "on main");
    expect(await state(landing)).toMatchObject({ ahead: 1, behind: 1 });
    const head = git(directory, "rev-parse", "HEAD").trim();
    for (const method of ["merge", "rebase"] as const) {
      expect(await updateBranch({ ...next(), baseBranch: "main", method, landing })).toMatchObject({ outcome: "updated" });
      expect(git(directory, "log", "--format=%s", "main..HEAD").trim().split("\n")).toEqual(
        method === "merge" ? ["Merge branch 'main'", "third", "second", "first"] : ["third"],
      );
      if (method === "merge") git(directory, "reset", "--quiet", "--hard", head);
    }
    git(directory, "reset", "--quiet", "--hard", head);
    const second = await land({ method: "squash", landed: landing });
    expect(git(path, "show", `${second.commit}:a.txt`)).toBe("third\n");
    expect(git(path, "show", "--name-only", "--format=", second.commit).trim()).toBe("a.txt");
    expect(await state(second)).toMatchObject({ ahead: 0, behind: 0 });
    // the base branch was moved to before the landing: it is not landed any more
    git(path, "reset", "--quiet", "--hard", landing.previous);
    expect(await state(second)).toMatchObject({ ahead: 3, behind: 0 });
  });

  it("[G5] uncommitted work is refused", async () => {
    await work();
    at.write("c.txt", "c\n");
    await expect(land()).rejects.toMatchObject({ code: "uncommitted" });
  });

  it("[G5] an ignored file in the way is refused before anything changes", async () => {
    const { path, write, place } = at;
    write("made.log", "from the attempt\n");
    await commitFiles({ ...place, message: "Log" });
    mkdirSync(join(path, ".git/info"), { recursive: true });
    writeFileSync(join(path, ".git/info/exclude"), "*.log\n");
    writeFileSync(join(path, "made.log"), "mine\n");
    const repository = await openRepository(path);
    const before = git(path, "rev-parse", "main");
    await expect(land({ repository })).rejects.toMatchObject({ code: "files-in-the-way" });
    expect(git(path, "rev-parse", "main")).toBe(before);
    expect(readFileSync(join(path, "made.log"), "utf8")).toBe("mine\n");
  });
});
