import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toSlug } from "@skein/engine";
import { describe, expect, test } from "vitest";
import { carryChanges } from "./carry-changes.ts";
import { commit, git, newRepository, newWorktree, openRepository } from "./repository.fixture.ts";
import { resolveBase, resolveHead } from "./resolve-base.ts";
import { listUncommitted } from "./uncommitted.ts";
import { addWorktree, removeOrphanWorktree, removeWorktree, restoreWorktree } from "./worktrees.ts";

describe("worktrees", () => {
  test("[E1] attempts that begin at the same moment get branches of their own", async () => {
    const repository = newRepository();
    const made = await Promise.all(Array.from({ length: 6 }, () => newWorktree(repository)));
    expect(new Set(made.map(({ branch }) => branch)).size).toBe(6);
  });

  test("[E1] many worktrees are made and removed in one repository at once", async () => {
    const count = process.env.SKEIN_TEST_LONG === "1" ? 40 : 12;
    const repository = newRepository();
    const made = await Promise.all(
      Array.from({ length: count }, (_, index) => newWorktree(repository, { title: "At once", number: index + 1 })),
    );
    expect(new Set(made.map(({ branch }) => branch)).size).toBe(count);
    await Promise.all(made.map((worktree) => removeWorktree(worktree)));
    expect(made.filter(({ directory }) => existsSync(directory))).toEqual([]);
  });

  test("an attempt gets its own folder and the branch skein/<task-slug>-<n>", async () => {
    const repository = newRepository();
    const worktree = await newWorktree(repository, { title: "Fix the Login — now!" });
    expect(worktree.branch).toBe("skein/fix-the-login-now-1");
    expect(readFileSync(join(worktree.directory, "a.txt"), "utf8")).toBe("one\ntwo\nthree\n");
    expect(git(worktree.directory, "branch", "--show-current").trim()).toBe(worktree.branch);
  });

  test("a taken branch name is skipped", async () => {
    const repository = newRepository();
    git(repository, "branch", "skein/fix-it-1");
    expect((await newWorktree(repository)).branch).toBe("skein/fix-it-2");
  });

  test("with a branch named skein, the attempt's branch gets another prefix at once", async () => {
    const repository = newRepository();
    git(repository, "branch", "skein");
    git(repository, "branch", "skein-fix-it-1");
    const worktree = await newWorktree(repository);
    expect(worktree.branch).toBe("skein-fix-it-2");
    expect(await removeWorktree(worktree)).toEqual({ keptBranch: null });
    expect(git(repository, "branch", "--list", "skein*", "--format=%(refname:short)").trim().split("\n")).toEqual([
      "skein",
      "skein-fix-it-1",
    ]);
  });

  test("[Q16] a worktree that cannot be created leaves no branch behind", async () => {
    const repository = newRepository();
    await openRepository(repository);
    const admin = join(repository, ".git/worktrees");
    rmSync(admin, { recursive: true });
    writeFileSync(admin, "in the way"); // git makes the branch before it finds out
    await expect(newWorktree(repository)).rejects.toThrow("worktree");
    expect(git(repository, "branch", "--list", "skein*").trim()).toBe("");
  });

  test("[Q16] without its repository, what a worktree has changed since its base is still known", async () => {
    const repository = newRepository();
    const { folder } = await newWorktree(repository);
    rmSync(repository, { recursive: true });
    expect(await listUncommitted(folder)).toEqual([]);
    writeFileSync(join(folder.directory, "a.txt"), "changed");
    writeFileSync(join(folder.directory, "new.txt"), "new");
    expect((await listUncommitted(folder)).toSorted()).toEqual(["a.txt", "new.txt"]);
  });

  test("a title in any script gives a readable name", () => {
    expect(toSlug("修复 登录 Bug")).toBe("修复-登录-bug");
    expect(toSlug("…!?")).toBe("task");
    expect([...toSlug("😀a".repeat(100))].length).toBeLessThanOrEqual(40);
  });

  test("a repository without commits is rejected with a fix", async () => {
    const path = mkdtempSync(join(tmpdir(), "skein-empty-"));
    git(path, "init", "--quiet");
    const repository = await openRepository(path);
    const input = { repository, root: join(path, "wt"), folderName: "x", ownDir: join(path, "own"), taskTitle: "x", number: 1 };
    const { commit } = await resolveBase(repository, undefined);
    await expect(addWorktree({ ...input, commit, baseCommit: commit })).rejects.toMatchObject({
      code: "no-commit",
    });
  });

  test("a partial clone that lacks files of the commit is reported, and leaves nothing behind", async () => {
    const path = newRepository();
    const id = git(path, "rev-parse", "HEAD:a.txt").trim();
    rmSync(join(path, ".git/objects", id.slice(0, 2), id.slice(2)));
    await expect(newWorktree(path)).rejects.toMatchObject({ kind: "conflict", code: "objects-missing" });
    expect(git(path, "branch", "--list", "skein/*") + git(path, "worktree", "list", "--porcelain").match(/worktree /g)?.length).toBe("1");
  });

  test("a missing base is rejected, also one that looks like an option", async () => {
    const repository = await openRepository(newRepository());
    for (const base of ["nowhere", "--output=/tmp/x"]) {
      await expect(resolveBase(repository, base)).rejects.toMatchObject({ code: "base-not-found" });
    }
  });

  test("removes the folder and an unused branch, and keeps a branch with commits", async () => {
    const repository = newRepository();
    const unused = await newWorktree(repository);
    expect(await removeWorktree(unused)).toEqual({ keptBranch: null });
    expect(existsSync(unused.directory)).toBe(false);
    expect(git(repository, "branch", "--list", "skein/*").trim()).toBe("");

    const used = await newWorktree(repository);
    writeFileSync(join(used.directory, "b.txt"), "new");
    commit(used.directory, "work");
    expect(await removeWorktree(used)).toEqual({ keptBranch: used.branch });
    expect(existsSync(used.directory)).toBe(false);
  });

  test("a branch whose commits are on another branch or tag is removed", async () => {
    for (const keep of [(tip: string) => ["branch", "merged", tip], (tip: string) => ["tag", "v1", tip], () => []]) {
      const repository = newRepository();
      const worktree = await newWorktree(repository);
      writeFileSync(join(worktree.directory, "b.txt"), "new");
      commit(worktree.directory, "work");
      const elsewhere = keep(git(worktree.directory, "rev-parse", "HEAD").trim());
      if (elsewhere.length > 0) git(repository, ...elsewhere);
      expect(await removeWorktree(worktree)).toEqual({ keptBranch: elsewhere.length > 0 ? null : worktree.branch });
    }
  });

  test("lists uncommitted files: changed, new, deleted and renamed, but not ignored", async () => {
    const repository = newRepository();
    writeFileSync(join(repository, ".gitignore"), "ignored\n");
    writeFileSync(join(repository, "gone.txt"), "x");
    commit(repository, "more");
    const { directory, folder } = await newWorktree(repository);
    expect(await listUncommitted(folder)).toEqual([]);
    writeFileSync(join(directory, "ignored"), "x");
    expect(await listUncommitted(folder)).toEqual([]);
    rmSync(join(directory, "gone.txt"));
    git(directory, "mv", "a.txt", "名 b.txt");
    mkdirSync(join(directory, "new"));
    writeFileSync(join(directory, "new/c.txt"), "x");
    expect((await listUncommitted(folder)).toSorted()).toEqual(["a.txt", "gone.txt", "new/", "名 b.txt"]);
  });

  test("a missing folder is recreated at its path, with the committed files", async () => {
    const repository = newRepository();
    const worktree = await newWorktree(repository);
    expect(await restoreWorktree(worktree)).toBe(false);
    writeFileSync(join(worktree.directory, "b.txt"), "committed");
    commit(worktree.directory, "work");
    writeFileSync(join(worktree.directory, "c.txt"), "not committed");
    rmSync(worktree.directory, { recursive: true });
    expect(await restoreWorktree(worktree)).toBe(true);
    expect(git(worktree.directory, "branch", "--show-current").trim()).toBe(worktree.branch);
    expect([existsSync(join(worktree.directory, "b.txt")), existsSync(join(worktree.directory, "c.txt"))]).toEqual([true, false]);
  });

  test("a missing folder without its branch, or whose branch is in use elsewhere, is reported with a fix", async () => {
    const repository = newRepository();
    const worktree = await newWorktree(repository);
    rmSync(worktree.directory, { recursive: true });
    git(repository, "worktree", "prune");
    git(repository, "switch", "--quiet", worktree.branch);
    await expect(restoreWorktree(worktree)).rejects.toMatchObject({ code: "worktree-not-restored" });
    git(repository, "switch", "--quiet", "main");
    git(repository, "branch", "--delete", worktree.branch);
    await expect(restoreWorktree(worktree)).rejects.toMatchObject({
      code: "worktree-gone",
      message: expect.stringContaining("Start a new attempt"),
    });
  });

  test("an orphan without work is removed with its branch, others are kept", async () => {
    const repository = newRepository();
    const unused = await newWorktree(repository);
    const remove = (worktree: typeof unused) => removeOrphanWorktree({ ...worktree, repositories: [worktree.repository] });
    expect(await remove(unused)).toBe(true);
    expect([existsSync(unused.directory), git(repository, "branch", "--list", "skein/*")]).toEqual([false, ""]);
    const changed = await newWorktree(repository);
    writeFileSync(join(changed.directory, "b.txt"), "new");
    expect(await remove(changed)).toBe(false);
    commit(changed.directory, "work");
    expect(await remove(changed)).toBe(false);
    mkdirSync(join(changed.root, "plain"));
    expect(await remove({ ...changed, directory: join(changed.root, "plain") })).toBe(false);
    await expect(remove({ ...changed, directory: repository })).rejects.toMatchObject({ code: "outside-worktrees" });
  });

  test("a user's own worktree on an unmounted disk stays registered", async () => {
    const repository = newRepository();
    const own = join(mkdtempSync(join(tmpdir(), "skein-own-")), "tree");
    git(repository, "worktree", "add", "--quiet", "-b", "own", own);
    rmSync(own, { recursive: true });
    const worktree = await newWorktree(repository);
    rmSync(worktree.directory, { recursive: true });
    await restoreWorktree(worktree);
    await removeWorktree(worktree);
    expect(git(repository, "worktree", "list", "--porcelain")).toContain(own);
  });

  test("[X12] nothing outside the worktree root is deleted, also not through a link", async () => {
    const repository = newRepository();
    const worktree = await newWorktree(repository);
    const outside = mkdtempSync(join(tmpdir(), "skein-outside-"));
    writeFileSync(join(outside, "precious.txt"), "keep me");
    await expect(removeWorktree({ ...worktree, directory: outside })).rejects.toMatchObject({ code: "outside-worktrees" });
    await expect(removeWorktree({ ...worktree, directory: repository })).rejects.toMatchObject({ code: "outside-worktrees" });

    symlinkSync(outside, join(worktree.root, "link"));
    await expect(removeWorktree({ ...worktree, directory: join(worktree.root, "link", "precious.txt") })).rejects.toMatchObject({
      code: "outside-worktrees",
    });
    await removeWorktree({ ...worktree, directory: join(worktree.root, "link") }).catch(() => {});
    expect(readFileSync(join(outside, "precious.txt"), "utf8")).toBe("keep me");
    expect(existsSync(join(repository, "a.txt"))).toBe(true);
  });

  test("[X12] a link that an agent put in the place of its worktree is removed, not what it leads to", async () => {
    const worktree = await newWorktree(newRepository());
    const { directory } = worktree.folder;
    const outside = mkdtempSync(join(tmpdir(), "skein-outside-"));
    writeFileSync(join(outside, "precious.txt"), "keep me");
    // git takes a folder with this file for the worktree itself
    cpSync(join(directory, ".git"), join(outside, ".git"));
    renameSync(directory, `${directory}-moved`);
    symlinkSync(outside, directory);
    await removeWorktree({ ...worktree, directory });
    expect(readFileSync(join(outside, "precious.txt"), "utf8")).toBe("keep me");
    expect(lstatSync(directory, { throwIfNoEntry: false })).toBeUndefined();
  });
});

describe("continuing from another worktree", () => {
  /** Everything that git reports about a worktree, and its files. */
  function stateOf(directory: string): unknown {
    const files = git(directory, "ls-files", "--cached", "--others", "--exclude-standard", "-z")
      .split("\0")
      .filter((file) => file !== "");
    return {
      status: git(directory, "status", "--porcelain", "--untracked-files=all"),
      index: git(directory, "ls-files", "--stage"),
      files: [...new Set(files)]
        .toSorted()
        .filter((file) => existsSync(join(directory, file)) && statSync(join(directory, file)).isFile())
        .map((file) => {
          return [file, readFileSync(join(directory, file)).toString("base64"), statSync(join(directory, file)).mode & 0o777];
        }),
    };
  }

  async function carryToNext(source: Awaited<ReturnType<typeof newWorktree>>) {
    const { root, repository, baseCommit } = source;
    const tip = (await resolveHead(source.folder)) ?? "";
    const place = { root, repository, folderName: "next", ownDir: join(root, "../git/next"), taskTitle: "Fix it", number: 2 };
    const { folder: to } = await addWorktree({ ...place, commit: tip, baseCommit });
    await carryChanges({ from: source.folder, to, commit: tip, baseCommit });
    return { to, tip };
  }

  test("changed, new, deleted, renamed, executable and binary files are copied, ignored ones and submodules are not; the source is not modified", async () => {
    const repository = newRepository();
    writeFileSync(join(repository, ".gitignore"), "ignored.txt\n");
    for (const name of ["gone.txt", "old.txt", "run.sh", "staged.txt"]) writeFileSync(join(repository, name), `${name}\n`.repeat(5));
    commit(repository, "more");
    git(repository, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", newRepository(), "sub");
    commit(repository, "submodule");
    const source = await newWorktree(repository);
    const { directory: from } = source;
    writeFileSync(join(from, "committed.txt"), "c\n");
    commit(from, "work");
    writeFileSync(join(from, "a.txt"), "one\nTWO\nthree\n");
    writeFileSync(join(from, "staged.txt"), "in the index");
    git(from, "add", "staged.txt");
    writeFileSync(join(from, "staged.txt"), "and then changed");
    rmSync(join(from, "gone.txt"));
    git(from, "mv", "old.txt", "new 名.txt");
    chmodSync(join(from, "run.sh"), 0o755);
    mkdirSync(join(from, "deep/er"), { recursive: true });
    writeFileSync(join(from, "deep/er/fresh\ttab.txt"), "f\n");
    writeFileSync(join(from, "image.bin"), Buffer.from([0, 1, 2, 0, 255]));
    writeFileSync(join(from, "ignored.txt"), "secret");
    symlinkSync("a.txt", join(from, "link"));
    const before = stateOf(from);

    const { to: target, tip } = await carryToNext(source);
    expect(stateOf(from)).toEqual(before);
    const to = target.directory;
    expect(git(to, "rev-parse", "HEAD").trim()).toBe(tip);
    expect(git(to, "diff", "--cached", "--name-only")).toBe("");
    expect((await listUncommitted(target)).toSorted()).toEqual(
      ["a.txt", "deep/", "gone.txt", "image.bin", "link", "new 名.txt", "old.txt", "run.sh", "staged.txt"].toSorted(),
    );
    const filesOf = (state: unknown) => (state as { files: unknown[] }).files;
    expect(filesOf(stateOf(to))).toEqual(filesOf(before));
    expect([existsSync(join(to, "ignored.txt")), readFileSync(join(to, "staged.txt"), "utf8")]).toEqual([false, "and then changed"]);
    expect(statSync(join(to, "run.sh")).mode & 0o111).not.toBe(0);
  });

  test("without uncommitted changes, nothing is copied", async () => {
    const repository = newRepository();
    const source = await newWorktree(repository);
    expect(await listUncommitted((await carryToNext(source)).to)).toEqual([]);
  });
});
