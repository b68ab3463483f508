import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { commit, git } from "../git/repository.fixture.ts";
import { commitFiles } from "./commit-files.ts";
import { readConflict, toConflict } from "./conflict-state.ts";
import { startAttempt } from "./landing.fixture.ts";
import { abortUpdate, finishUpdate, readConflictSides, resolveFile } from "./resolve-conflict.ts";
import { updateBranch } from "./update-branch.ts";

let at: Awaited<ReturnType<typeof startAttempt>>;
beforeEach(async () => {
  at = await startAttempt();
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

  it("[G4] the sides of a conflict are named, and only text is sent", async () => {
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
