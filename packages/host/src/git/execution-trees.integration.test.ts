import { mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ExecutionId, executionIdSchema } from "@skein/contracts";
import { describe, expect, test } from "vitest";
import { deleteExecutionTrees, diffExecutionTrees, recordExecutionTree, recordStartTree } from "./execution-trees.ts";
import type { GitFolder } from "./git-folder.ts";
import { git, openRepository } from "./repository.fixture.ts";

const id = (number: number): ExecutionId => executionIdSchema.parse(`exe_${number}`);

async function newRepository(): Promise<{ directory: string; baseCommit: string; folder: GitFolder }> {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "skein-trees-")));
  git(directory, "init", "--quiet", "--initial-branch=main");
  writeFileSync(join(directory, ".gitignore"), "*.log\n");
  writeFileSync(join(directory, "a.txt"), "one\ntwo\n");
  git(directory, "add", "--all");
  git(directory, "commit", "--quiet", "--message", "first");
  return { directory, baseCommit: git(directory, "rev-parse", "HEAD").trim(), folder: await openRepository(directory) };
}

test("each execution has its own changes, committed or not; the repository's state is not modified", async () => {
  const { directory, baseCommit, folder } = await newRepository();
  const changesOf = async (executionId: ExecutionId, before: ExecutionId[]) => {
    const { files } = await diffExecutionTrees({ folder, before, executionId, isRunning: false, baseCommit });
    return files.map(({ filePath, change, additions, deletions }) => `${filePath} ${change} +${additions} -${deletions}`);
  };

  writeFileSync(join(directory, "a.txt"), "one\nTWO\n");
  writeFileSync(join(directory, "new file.txt"), "new\n");
  writeFileSync(join(directory, "ignored.log"), "x");
  const before = git(directory, "status", "--porcelain");
  await recordExecutionTree({ folder, baseCommit, executionId: id(1) });
  expect(git(directory, "status", "--porcelain")).toBe(before);
  expect(git(directory, "log", "--all", "--oneline").trim().split("\n")).toHaveLength(1);
  expect(git(directory, "branch", "--list").trim()).toBe("* main");

  git(directory, "add", "--all");
  git(directory, "commit", "--quiet", "--message", "work");
  rmSync(join(directory, "new file.txt"));
  writeFileSync(join(directory, "b.txt"), "b\n");
  await recordExecutionTree({ folder, baseCommit, executionId: id(2) });
  writeFileSync(join(directory, "later.txt"), "later\n");

  expect(await changesOf(id(1), [])).toEqual(["a.txt updated +1 -1", "new file.txt created +1 -0"]);
  expect(await changesOf(id(2), [id(1)])).toEqual(["b.txt created +1 -0", "new file.txt deleted +0 -1"]);
  expect(await changesOf(id(3), [id(1), id(2)]), "not recorded: up to now").toEqual(["later.txt created +1 -0"]);
  // an execution without a recorded end is skipped: the one before is used
  expect(await changesOf(id(2), [id(1), id(9)])).toEqual(["b.txt created +1 -0", "new file.txt deleted +0 -1"]);

  await deleteExecutionTrees(folder, [id(1), id(2), id(9)]);
  expect(git(directory, "for-each-ref", "refs/skein/").trim()).toBe("");
});

test("[G3] what users change between two executions is not part of the later one; the start costs no ref where nothing changed", async () => {
  const { directory, baseCommit, folder } = await newRepository();
  const refs = () => git(directory, "for-each-ref", "--format=%(refname)", "refs/skein/").trim().split("\n");
  const changesOf = async (executionId: ExecutionId, before: ExecutionId[]) => {
    const { files, approximate } = await diffExecutionTrees({ folder, before, executionId, isRunning: false, baseCommit });
    return [files.map(({ filePath }) => filePath), approximate ?? false];
  };
  await recordStartTree({ folder, baseCommit, executionId: id(1) });
  writeFileSync(join(directory, "agent.txt"), "1\n");
  await recordExecutionTree({ folder, baseCommit, executionId: id(1) });
  await recordStartTree({ folder, baseCommit, executionId: id(2), previous: id(1) });
  expect(refs()).toEqual([`refs/skein/executions/${id(1)}`]);

  writeFileSync(join(directory, "mine.txt"), "mine\n");
  writeFileSync(join(directory, "a.txt"), "mine\n");
  await recordStartTree({ folder, baseCommit, executionId: id(2), previous: id(1) });
  writeFileSync(join(directory, "agent.txt"), "2\n");
  await recordExecutionTree({ folder, baseCommit, executionId: id(2) });
  expect(await changesOf(id(1), [])).toEqual([["agent.txt"], false]);
  expect(await changesOf(id(2), [id(1)])).toEqual([["agent.txt"], false]);
  // the start is known: what is missing before does not matter
  expect(await changesOf(id(2), [id(1), id(9)])).toEqual([["agent.txt"], false]);
  git(directory, "gc", "--quiet", "--prune=now");
  expect(await changesOf(id(2), [id(1)])).toEqual([["agent.txt"], false]);

  await deleteExecutionTrees(folder, [id(1), id(2)]);
  expect(refs()).toEqual([""]);
});

test("[X14] an agent that rewrites a recorded ref does not change what an execution is shown to have done", async () => {
  const { directory, baseCommit, folder } = await newRepository();
  writeFileSync(join(directory, "a.txt"), "one\nTWO\n");
  await recordExecutionTree({ folder, baseCommit, executionId: id(1) });
  git(directory, "update-ref", `refs/skein/executions/${id(1)}`, `${baseCommit}^{tree}`);
  const { files } = await diffExecutionTrees({ folder, before: [], executionId: id(1), isRunning: false, baseCommit });
  expect(files.map(({ filePath }) => filePath)).toEqual(["a.txt"]);
});

test("a file that was changed in the moment in which it was committed, and has its old size, is recorded", async () => {
  const { directory, baseCommit, folder } = await newRepository();
  const moment = new Date(Date.now() - 60_000);
  const [file, index] = [join(directory, "a.txt"), join(directory, ".git/index")];
  git(directory, "config", "core.trustctime", "false");
  utimesSync(file, moment, moment);
  git(directory, "update-index", "--refresh");
  utimesSync(index, moment, moment);
  writeFileSync(file, "one\nTWO\n");
  utimesSync(file, moment, moment);
  await recordExecutionTree({ folder, baseCommit, executionId: id(1) });
  const { files } = await diffExecutionTrees({ folder, before: [], executionId: id(1), isRunning: false, baseCommit });
  expect(files.map(({ filePath }) => filePath)).toEqual(["a.txt"]);
});

test("[X14] a huge file and a nested repository are named but not copied", async () => {
  const { directory, baseCommit, folder } = await newRepository();
  writeFileSync(join(directory, "huge.bin"), Buffer.alloc(11 * 1024 * 1024));
  mkdirSync(join(directory, "inner"));
  git(join(directory, "inner"), "init", "--quiet");
  writeFileSync(join(directory, "inner/x.txt"), "x");
  writeFileSync(join(directory, "small.txt"), "s\n");
  await recordExecutionTree({ folder, baseCommit, executionId: id(1) });
  const { files, nested } = await diffExecutionTrees({ folder, before: [], executionId: id(1), isRunning: false, baseCommit });
  expect(files.map(({ filePath, change, incomplete }) => [filePath, change, incomplete])).toEqual([
    ["huge.bin", "created", "too-large"],
    ["small.txt", "created", undefined],
  ]);
  expect(nested).toEqual(["inner"]);
  expect(git(directory, "count-objects", "-v")).toMatch(/^size: [0-9]{1,3}$/m);
});

/** A time after everything written before it, and before everything written later, by the clock of the disk. */
function nextMoment(): number {
  const probe = join(mkdtempSync(join(tmpdir(), "skein-clock-")), "probe");
  const touch = (): number => {
    rmSync(probe, { force: true });
    writeFileSync(probe, "");
    return statSync(probe).ctimeMs;
  };
  const moment = touch();
  while (touch() <= moment);
  return moment;
}

describe("late recording of an end", () => {
  async function newWork() {
    const repository = await newRepository();
    mkdirSync(join(repository.directory, "made"));
    writeFileSync(join(repository.directory, "made/by-agent.txt"), "made\n");
    writeFileSync(join(repository.directory, "a.txt"), "one\nTWO\n");
    return { ...repository, endedAt: nextMoment() };
  }
  const change = ({ folder, baseCommit }: Awaited<ReturnType<typeof newRepository>>, number = 1) =>
    diffExecutionTrees({
      folder,
      before: Array.from({ length: number - 1 }, (_, index) => id(index + 1)),
      executionId: id(number),
      isRunning: false,
      baseCommit,
    });

  test("is exact if nothing changed since, also when git wrote into its own folder", async () => {
    const work = await newWork();
    mkdirSync(join(work.directory, ".git/mine"));
    await recordExecutionTree({ ...work, executionId: id(1) });
    const diff = await change(work);
    expect(diff.files.map(({ filePath }) => filePath)).toEqual(["a.txt", "made/by-agent.txt"]);
    expect(diff.approximate).toBeUndefined();
  });

  test.each([
    ["changed a file", (directory: string) => writeFileSync(join(directory, "a.txt"), "mine\n")],
    [
      "changed a file and committed it",
      (directory: string) => {
        writeFileSync(join(directory, "a.txt"), "mine\n");
        git(directory, "commit", "--quiet", "--all", "--message", "mine");
      },
    ],
    ["took back what the agent did", (directory: string) => void git(directory, "checkout", "--", "a.txt")],
    ["removed what the agent made", (directory: string) => rmSync(join(directory, "made"), { recursive: true })],
    ["put a file back with its old times", (directory: string) => utimesSync(join(directory, "a.txt"), 1, 1)],
  ])("is reported as inexact when a user %s since", async (_, changeMore) => {
    const work = await newWork();
    changeMore(work.directory);
    await recordExecutionTree({ ...work, executionId: id(1) });
    expect(await change(work)).toMatchObject({ approximate: true });

    // the next one began there: what it changed is exact
    writeFileSync(join(work.directory, "next.txt"), "next\n");
    await recordExecutionTree({ folder: work.folder, baseCommit: work.baseCommit, executionId: id(2) });
    const next = await change(work, 2);
    expect(next.files.map(({ filePath }) => filePath)).toEqual(["next.txt"]);
    expect(next.approximate).toBeUndefined();

    await deleteExecutionTrees(work.folder, [id(1), id(2)]);
    expect(git(work.directory, "for-each-ref", "refs/skein/").trim()).toBe("");
  });

  test("a missing end makes its execution and the next one inexact; a running execution is exact", async () => {
    const work = await newWork();
    expect(await change(work)).toMatchObject({ approximate: true });
    const running = await diffExecutionTrees({ ...work, before: [], executionId: id(1), isRunning: true });
    expect(running.approximate).toBeUndefined();
    await recordExecutionTree({ folder: work.folder, baseCommit: work.baseCommit, executionId: id(2) });
    expect(await change(work, 2)).toMatchObject({ approximate: true });
  });
});
