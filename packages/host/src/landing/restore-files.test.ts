import { existsSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { executionIdSchema } from "@skein/contracts";
import { beforeEach, describe, expect, it } from "vitest";
import { recordExecutionTree } from "../git/execution-trees.ts";
import { findTree } from "../git/own-git-dir.ts";
import { writeFolderTree } from "./folder-tree.ts";
import { attemptId, numbers, startAttempt, text } from "./landing.fixture.ts";
import { discardChanges, restoreFiles, restoreSafetyRef } from "./restore-files.ts";
import { listSafetyRefs, pruneSafetyRefs } from "./safety-refs.ts";

let at: Awaited<ReturnType<typeof startAttempt>>;
beforeEach(async () => {
  at = await startAttempt();
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
