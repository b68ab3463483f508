import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readlinkSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FileSelection, Landing } from "@skein/contracts";
import { attemptIdSchema, executionIdSchema } from "@skein/contracts";
import { chooseGitStep } from "@skein/engine";
import { beforeEach, describe, expect, it } from "vitest";
import { diffFolder } from "../git/attempt-diff.ts";
import { recordExecutionTree } from "../git/execution-trees.ts";
import { findTree } from "../git/own-git-dir.ts";
import { commit, git, newRepository, newWorktree, openRepository } from "../git/repository.fixture.ts";
import { commitFiles } from "./commit-files.ts";
import { readConflict, toConflict } from "./conflict-state.ts";
import { writeFolderTree } from "./folder-tree.ts";
import { landBranch, undoLanding } from "./land-branch.ts";
import { readGitState } from "./read-git-state.ts";
import { abortUpdate, finishUpdate, readConflictSides, resolveFile } from "./resolve-conflict.ts";
import { discardChanges, restoreFiles, restoreSafetyRef } from "./restore-files.ts";
import { listSafetyRefs, pruneSafetyRefs } from "./safety-refs.ts";
import { updateBranch } from "./update-branch.ts";

const attemptId = attemptIdSchema.parse("att_1");
const numbers = (from: number, to: number): string[] => Array.from({ length: to - from + 1 }, (_, at) => String(from + at));
const text = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join("");

async function start() {
  const path = newRepository();
  git(path, "config", "user.name", "Ada");
  git(path, "config", "user.email", "ada@example.invalid");
  writeFileSync(join(path, "long.txt"), text(numbers(1, 40)));
  commit(path, "numbers");
  const worktree = await newWorktree(path);
  const { folder, directory, baseCommit } = worktree;
  const place = { folder, attemptId, baseCommit };
  let now = 1000;
  return {
    path,
    ...worktree,
    place,
    next: () => ({ ...place, now: now++ }),
    write: (name: string, content: string) => writeFileSync(join(directory, name), content),
    read: (name: string) => readFileSync(join(directory, name), "utf8"),
    status: () => git(directory, "status", "--porcelain"),
    select: async (name: string, pick: number[]): Promise<FileSelection> => {
      const { files } = await diffFolder(folder, { baseCommit });
      const hunks = files.find(({ filePath }) => filePath === name)?.hunks ?? [];
      return { path: name, hunks: pick.map((at) => hunks[at] as (typeof hunks)[number]) };
    },
  };
}
let at: Awaited<ReturnType<typeof start>>;
beforeEach(async () => {
  at = await start();
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

  it("[G2] a selection of an older state is refused, and nothing to commit is said", async () => {
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

describe("discard and restore", () => {
  it("[G3, Q19] discarding a file and a hunk leaves the rest, and the safety ref brings all of it back", async () => {
    const { next, write, read, select, directory } = at;
    const changed = text(["zero", ...numbers(1, 19), "twenty", ...numbers(21, 40)]);
    write("long.txt", changed);
    write("new.txt", "new\n");
    const { paths, safetyRef } = await discardChanges({ ...next(), files: [{ path: "new.txt" }, await select("long.txt", [0])] });
    expect(paths.toSorted()).toEqual(["long.txt", "new.txt"]);
    expect(existsSync(join(directory, "new.txt"))).toBe(false);
    expect(read("long.txt")).toBe(text([...numbers(1, 19), "twenty", ...numbers(21, 40)]));
    await restoreSafetyRef({ ...next(), ref: safetyRef.ref });
    expect(read("new.txt")).toBe("new\n");
    expect(read("long.txt")).toBe(changed);
  });

  it("[G3, Q19] a file of the base that was discarded as a whole comes back from the safety ref", async () => {
    const { next, write, read, directory } = at;
    write("long.txt", "changed\n");
    const { safetyRef } = await discardChanges({ ...next(), files: [{ path: "long.txt" }] });
    expect(read("long.txt")).toBe(text(numbers(1, 40)));
    // as when the base was read long before
    utimesSync(join(directory, "long.txt"), 2_000_000_000, 2_000_000_000);
    await restoreSafetyRef({ ...next(), ref: safetyRef.ref });
    expect(read("long.txt")).toBe("changed\n");
  });

  it("[G3] restoring to an execution leaves files alone that executions did not change", async () => {
    const { next, write, read, folder, baseCommit, directory } = at;
    write("a.txt", "first\n");
    const first = await writeFolderTree(folder, baseCommit);
    write("a.txt", "second\n");
    write("made.txt", "made\n");
    const second = await writeFolderTree(folder, baseCommit);
    write("mine.txt", "mine\n");
    write("long.txt", "mine, too\n");
    const { paths } = await restoreFiles({ ...next(), to: first, changes: [{ before: first, after: second }] });
    expect(paths.toSorted()).toEqual(["a.txt", "made.txt"]);
    expect(read("a.txt")).toBe("first\n");
    expect(existsSync(join(directory, "made.txt"))).toBe(false);
    expect(read("mine.txt")).toBe("mine\n");
    expect(read("long.txt")).toBe("mine, too\n");
  });

  it("[G3] a file that was too large to be recorded stays as it is", async () => {
    const { next, write, read, folder, baseCommit } = at;
    const [one, two] = [executionIdSchema.parse("exe_1"), executionIdSchema.parse("exe_2")];
    write("a.txt", "first\n");
    write("large.txt", "1".repeat(11 * 1024 * 1024));
    await recordExecutionTree({ folder, baseCommit, executionId: one });
    write("a.txt", "second\n");
    write("large.txt", "2".repeat(11 * 1024 * 1024));
    await recordExecutionTree({ folder, baseCommit, executionId: two });
    const [before, after] = [(await findTree(folder, one))?.tree ?? "", (await findTree(folder, two))?.tree ?? ""];
    const { paths } = await restoreFiles({ ...next(), to: before, changes: [{ before, after }] });
    expect(paths).toEqual(["a.txt"]);
    expect(read("large.txt").slice(0, 1)).toBe("2");
  });

  it("[Q19] safety refs are listed newest first and go after 30 days", async () => {
    const { next, write, folder } = at;
    write("a.txt", "x\n");
    await discardChanges({ ...next(), files: [{ path: "a.txt" }] });
    write("a.txt", "y\n");
    await discardChanges({ ...next(), files: [{ path: "a.txt" }] });
    expect((await listSafetyRefs(folder, attemptId)).map(({ createdAt, before }) => [createdAt, before])).toEqual([
      [1001, "discard"],
      [1000, "discard"],
    ]);
    await pruneSafetyRefs(folder, attemptId, { now: 1001 + 30 * 24 * 60 * 60_000 });
    expect((await listSafetyRefs(folder, attemptId)).map(({ createdAt }) => createdAt)).toEqual([1001]);
  });
});

describe("update", () => {
  function advance(change: () => void, message = "on main"): void {
    change();
    commit(at.path, message);
  }

  it.each(["rebase", "merge"] as const)("[G4] %s without conflicts moves the branch and the files", async (method) => {
    const { next, write, read, path, place, status, directory } = at;
    write("a.txt", "mine\n");
    await commitFiles({ ...place, message: "Mine" });
    advance(() => writeFileSync(join(path, "theirs.txt"), "theirs\n"));
    const result = await updateBranch({ ...next(), baseBranch: "main", method });
    expect(result.outcome).toBe("updated");
    expect(read("theirs.txt")).toBe("theirs\n");
    expect(read("a.txt")).toBe("mine\n");
    expect(status()).toBe("");
    const subjects = git(directory, "log", "--first-parent", "--format=%s", "-3").trim().split("\n");
    expect(subjects).toEqual(method === "rebase" ? ["Mine", "on main", "numbers"] : ["Merge branch 'main'", "Mine", "numbers"]);
    expect(await updateBranch({ ...next(), baseBranch: "main", method })).toEqual({ outcome: "up-to-date" });
  });

  it("[G4] uncommitted files, a base that is gone and no base are obstacles", async () => {
    const { next, write, path } = at;
    advance(() => writeFileSync(join(path, "theirs.txt"), "theirs\n"));
    write("a.txt", "mine\n");
    await expect(updateBranch({ ...next(), baseBranch: "main", method: "rebase" })).rejects.toMatchObject({ code: "uncommitted" });
    await expect(updateBranch({ ...next(), baseBranch: "gone", method: "rebase" })).rejects.toMatchObject({ code: "base-gone" });
    await expect(updateBranch({ ...next(), baseBranch: null, method: "rebase" })).rejects.toMatchObject({ code: "no-base-branch" });
  });

  async function conflict(method: "rebase" | "merge") {
    const { next, write, path, place } = at;
    write("a.txt", "mine\n");
    await commitFiles({ ...place, message: "Mine" });
    write("b.txt", "later\n");
    await commitFiles({ ...place, message: "Later" });
    advance(() => writeFileSync(join(path, "a.txt"), "theirs\n"));
    return updateBranch({ ...next(), baseBranch: "main", method });
  }

  it.each(["rebase", "merge"] as const)(
    "[G4] a conflict of a %s is a state with files; resolved, the update is finished",
    async (method) => {
      const { next, read, folder, directory, status } = at;
      const result = await conflict(method);
      if (result.outcome !== "conflict") throw new Error(result.outcome);
      expect(result.conflict.files).toEqual([{ path: "a.txt", kind: "both-changed", binary: false, isResolved: false }]);
      expect(result.conflict.applying?.subject).toBe(method === "rebase" ? "Mine" : undefined);
      expect(read("a.txt")).toContain("<<<<<<<");
      const sides = await readConflictSides(folder, "a.txt");
      const [mine, theirs] = method === "rebase" ? [sides.theirs, sides.ours] : [sides.ours, sides.theirs];
      expect([sides.base, mine, theirs]).toEqual(["one\ntwo\nthree\n", "mine\n", "theirs\n"]);
      await expect(finishUpdate(next())).rejects.toMatchObject({ code: "unresolved-files" });
      const resolved = await resolveFile({ ...next(), path: "a.txt", content: "both\n" });
      expect(resolved.files[0]?.isResolved).toBe(true);
      expect(await finishUpdate(next())).toMatchObject({ outcome: "updated" });
      expect(read("a.txt")).toBe("both\n");
      expect(read("b.txt")).toBe("later\n");
      expect(status()).toBe("");
      expect(await readConflict(folder)).toBeUndefined();
      expect(git(directory, "log", "--first-parent", "--format=%an %s", "-2").trim().split("\n")).toEqual(
        method === "rebase" ? ["Ada Later", "Ada Mine"] : ["Ada Merge branch 'main'", "Ada Later"],
      );
    },
  );

  it("[G4] an agent resolves by editing, a side can be chosen, and aborting brings everything back", async () => {
    const { next, write, read, folder, status, directory } = at;
    const before = await conflict("rebase").then(() => git(directory, "rev-parse", "HEAD"));
    write("a.txt", "edited\n");
    expect((await resolveFile({ ...next(), path: "a.txt", asIs: true })).files[0]?.isResolved).toBe(true);
    await resolveFile({ ...next(), path: "a.txt", side: "ours" });
    expect(read("a.txt")).toBe("theirs\n");
    await abortUpdate(next());
    expect(read("a.txt")).toBe("mine\n");
    expect(git(directory, "rev-parse", "HEAD")).toBe(before);
    expect(status()).toBe("");
    expect(await readConflict(folder)).toBeUndefined();
  });

  it("[G4] a text that was edited from another content is refused, and one of the current content is written", async () => {
    const { next, write, read, folder } = at;
    await conflict("rebase");
    const { currentId } = await readConflictSides(folder, "a.txt");
    write("a.txt", "an agent was here\n");
    const refused = resolveFile({ ...next(), path: "a.txt", content: "mine alone\n", currentId });
    await expect(refused).rejects.toMatchObject({ text: { code: "changed-since", path: "a.txt" } });
    expect(read("a.txt")).toBe("an agent was here\n");
    const again = await readConflictSides(folder, "a.txt");
    await resolveFile({ ...next(), path: "a.txt", content: "both\n", currentId: again.currentId });
    expect(read("a.txt")).toBe("both\n");
  });

  it("[X10, X19] a link, a pipe or a device in place of a file with a conflict is not read, nor a file behind a linked folder", async () => {
    const { next, path, place, folder, directory } = at;
    mkdirSync(join(directory, "src"));
    writeFileSync(join(directory, "src/a.txt"), "mine\n");
    await commitFiles({ ...place, message: "Mine" });
    advance(() => {
      mkdirSync(join(path, "src"));
      writeFileSync(join(path, "src/a.txt"), "theirs\n");
    });
    await updateBranch({ ...next(), baseBranch: "main", method: "merge" });
    const state = await readConflict(folder);
    if (state === undefined) throw new Error("no conflict");
    const look = async () => [(await toConflict(folder, state)).files.length, (await readConflictSides(folder, "src/a.txt")).kinds.current];
    const file = join(directory, "src/a.txt");
    const replace = (put: () => void) => {
      rmSync(file);
      put();
    };
    replace(() => symlinkSync("/dev/zero", file));
    expect(await look()).toEqual([1, "special"]);
    replace(() => execFileSync("mkfifo", [file]));
    expect(await look()).toEqual([1, "special"]);
    const outside = mkdtempSync(join(tmpdir(), "skein-outside-"));
    writeFileSync(join(outside, "a.txt"), "a secret\n");
    rmSync(join(directory, "src"), { recursive: true });
    symlinkSync(outside, join(directory, "src"));
    expect(await look()).toEqual([1, "special"]);
    expect((await readConflictSides(folder, "src/a.txt")).current).toBeNull();
    await expect(resolveFile({ ...next(), path: "src/a.txt", content: "both\n" })).rejects.toMatchObject({ code: "files-in-the-way" });
    expect(readFileSync(join(outside, "a.txt"), "utf8")).toBe("a secret\n");
  });

  it("[G4] the sides of a conflict say what they are, and only text is sent", async () => {
    const { next, write, path, place, folder, directory } = at;
    const bytes = (...values: number[]) => Buffer.from(values);
    const put = (root: string, name: string, content: Buffer) => writeFileSync(join(root, name), content);
    put(directory, "a.bin", bytes(0, 1));
    put(directory, "latin.txt", bytes(0xe4, 10));
    put(directory, "large.txt", Buffer.from("mine\n".repeat(250_000)));
    symlinkSync("b.txt", join(directory, "link"));
    write("a.txt", "mine\n");
    await commitFiles({ ...place, message: "Mine" });
    advance(() => {
      put(path, "a.bin", bytes(0, 2));
      put(path, "latin.txt", bytes(0xf6, 10));
      put(path, "large.txt", Buffer.from("theirs\n"));
      symlinkSync("c.txt", join(path, "link"));
      rmSync(join(path, "a.txt"));
    });
    const result = await updateBranch({ ...next(), baseBranch: "main", method: "merge" });
    if (result.outcome !== "conflict") throw new Error(result.outcome);
    expect(result.conflict.files.map((file) => [file.path, file.isResolved])).toEqual([
      ...[
        ["a.bin", false],
        ["a.txt", false],
        ["large.txt", false],
        ["latin.txt", false],
        ["link", false],
      ],
    ]);
    const kinds = async (name: string) => (await readConflictSides(folder, name)).kinds;
    expect(await kinds("a.bin")).toEqual({ base: "none", ours: "binary", theirs: "binary", current: "binary" });
    expect(await kinds("latin.txt")).toMatchObject({ ours: "binary", theirs: "binary" });
    expect(await kinds("large.txt")).toMatchObject({ ours: "large", theirs: "text", current: "large" });
    expect(await kinds("link")).toMatchObject({ ours: "special", theirs: "special" });
    expect(await readConflictSides(folder, "a.txt")).toMatchObject({
      ...{ base: "one\ntwo\nthree\n", ours: "mine\n", theirs: null, current: "mine\n" },
      kinds: { base: "text", ours: "text", theirs: "none", current: "text" },
    });
    for (const [name, side] of [
      ["a.bin", "theirs"],
      ["latin.txt", "ours"],
      ["large.txt", "theirs"],
      ["link", "theirs"],
    ] as const)
      await resolveFile({ ...next(), path: name, side });
    await resolveFile({ ...next(), path: "a.txt", content: "kept\n" });
    expect(await finishUpdate(next())).toMatchObject({ outcome: "updated" });
    expect([readFileSync(join(directory, "a.bin")), readFileSync(join(directory, "latin.txt"))]).toEqual([bytes(0, 2), bytes(0xe4, 10)]);
    expect([readlinkSync(join(directory, "link")), readFileSync(join(directory, "a.txt"), "utf8")]).toEqual(["c.txt", "kept\n"]);
  });

  it("[G4] deleted on one side, changed on the other", async () => {
    const { next, write, read, path, place, directory } = at;
    write("a.txt", "mine\n");
    await commitFiles({ ...place, message: "Mine" });
    advance(() => rmSync(join(path, "a.txt")));
    const result = await updateBranch({ ...next(), baseBranch: "main", method: "merge" });
    if (result.outcome !== "conflict") throw new Error(result.outcome);
    expect(result.conflict.files).toMatchObject([{ path: "a.txt", kind: "deleted-by-them" }]);
    await resolveFile({ ...next(), path: "a.txt", side: "theirs" });
    expect(existsSync(join(directory, "a.txt"))).toBe(false);
    await resolveFile({ ...next(), path: "a.txt", side: "ours" });
    expect(read("a.txt")).toBe("mine\n");
    expect(await finishUpdate(next())).toMatchObject({ outcome: "updated" });
  });
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
