import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { commit, git, newRepository, newWorktree } from "../git/repository.fixture.ts";
import { commitFiles } from "./commit-files.ts";
import { attemptId, numbers, startAttempt, text } from "./landing.fixture.ts";
import { updateBranch } from "./update-branch.ts";

let at: Awaited<ReturnType<typeof startAttempt>>;
beforeEach(async () => {
  at = await startAttempt();
});

describe("commit", () => {
  it("[G2] everything: new, changed, deleted files and modes, by the user's identity, and git status is clean", async () => {
    const { place, write, directory, status } = at;
    write("new.txt", "new\n");
    write("a.txt", "changed\n");
    rmSync(join(directory, "long.txt"));
    const done = await commitFiles({ ...place, message: "All of it" });
    expect(done.files).toBe(3);
    expect(git(directory, "log", "-1", "--format=%an <%ae>|%s|%H").trim()).toBe(`Ada <ada@example.invalid>|All of it|${done.commit}`);
    expect(git(directory, "show", "--name-status", "--format=").trim().split("\n")).toEqual(["M\ta.txt", "D\tlong.txt", "A\tnew.txt"]);
    expect(status()).toBe("");
  });

  it("[G2] selected files and hunks; the rest stays as it is, uncommitted", async () => {
    const { place, write, directory, read, status, select } = at;
    const changed = text(["zero", ...numbers(1, 19), "twenty", ...numbers(21, 40), "end"]);
    write("long.txt", changed);
    write("a.txt", "changed\n");
    await commitFiles({ ...place, message: "Middle", files: [await select("long.txt", [1])] });
    expect(git(directory, "show", "HEAD:long.txt")).toBe(text([...numbers(1, 19), "twenty", ...numbers(21, 40)]));
    expect(read("long.txt")).toBe(changed);
    expect(status().trim().split("\n")).toEqual(["M a.txt", " M long.txt"]);
  });

  it("[G2] a selection of an older state is refused, and so is a commit of nothing", async () => {
    const { place, write, select } = at;
    write("long.txt", text(["zero", ...numbers(1, 40)]));
    const selection = await select("long.txt", [0]);
    write("long.txt", text(numbers(2, 40)));
    await expect(commitFiles({ ...place, message: "x", files: [selection] })).rejects.toMatchObject({ code: "changed-since" });
    write("long.txt", text(numbers(1, 40)));
    await expect(commitFiles({ ...place, message: "x" })).rejects.toMatchObject({ code: "nothing-to-commit" });
  });

  it("[G2] a file without a last line end, a rename and a file in a new folder", async () => {
    const { place, write, directory, status } = at;
    mkdirSync(join(directory, "deep/er"), { recursive: true });
    write("deep/er/a.txt", "one\ntwo\nthree\n");
    rmSync(join(directory, "a.txt"));
    write("open.txt", "no end");
    await commitFiles({ ...place, message: "x", files: [{ path: "deep/er/a.txt" }] });
    expect(git(directory, "show", "--name-status", "--format=", "-M").trim()).toBe("R100\ta.txt\tdeep/er/a.txt");
    expect(status()).toBe("?? open.txt\n");
  });

  it("[G2] a repository with Git LFS is refused: the content of a file must not replace its pointer", async () => {
    const path = newRepository();
    writeFileSync(join(path, ".gitattributes"), "*.bin filter=lfs diff=lfs merge=lfs -text\n");
    commit(path, "lfs");
    const { folder, directory, baseCommit } = await newWorktree(path);
    writeFileSync(join(directory, "large.bin"), "content");
    const refused = commitFiles({ folder, attemptId, baseCommit, message: "x" });
    await expect(refused).rejects.toMatchObject({ text: { code: "uses-lfs", directory } });
    writeFileSync(join(path, "theirs.txt"), "theirs\n");
    commit(path, "on main");
    const update = updateBranch({ folder, attemptId, baseCommit, baseBranch: "main", method: "rebase", now: 1 });
    await expect(update).rejects.toMatchObject({ text: { code: "uses-lfs", directory } });
  });

  it("a locked index and a detached HEAD are obstacles", async () => {
    const { place, write, folder, directory } = at;
    write("a.txt", "x\n");
    writeFileSync(join(folder.gitDir, "index.lock"), "");
    await expect(commitFiles({ ...place, message: "x" })).rejects.toMatchObject({
      code: "index-locked",
      command: `rm ${join(folder.gitDir, "index.lock")}`,
    });
    rmSync(join(folder.gitDir, "index.lock"));
    git(directory, "checkout", "--quiet", "--detach");
    await expect(commitFiles({ ...place, message: "x" })).rejects.toMatchObject({ code: "detached-head" });
  });
});
