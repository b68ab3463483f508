import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ExecutionId } from "@skein/contracts";
import type { Storage } from "@skein/engine";
import { createLocalHost } from "@skein/host";
import { openSqliteStorage } from "@skein/storage";
import { buildAttempt, buildExecution, buildProject, buildTask, testId } from "@skein/testkit";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openUnrecordedEnds } from "../data-dir/unrecorded-ends.ts";
import { silentLogger } from "../silent-logger.fixture.ts";
import { createTreeRecorder, type TreeRecorder } from "./tree-recorder.ts";

const ids = [testId("exe", 1), testId("exe", 2)] as const;
let directory: string;
let notes: string;
let home: string;
let storage: Storage;

const git = (...args: string[]) => execFileSync("git", args, { cwd: directory, encoding: "utf8" });
const listTrees = () => git("for-each-ref", "--format=%(refname)", "refs/skein/").split("\n").slice(0, -1);
const attempt = () => buildAttempt({ directory });

/** A server that was started now. */
function newRecorder(begun: readonly ExecutionId[] = []): TreeRecorder {
  const context = {
    storage,
    host: createLocalHost({ home, searchPath: undefined, readRunnerSecret: () => "secret" }),
    logger: silentLogger,
    now: Date.now,
  };
  return createTreeRecorder({ context, unrecorded: openUnrecordedEnds(home), hasBegun: async (id) => begun.includes(id) });
}

async function recover(begun?: readonly ExecutionId[]): Promise<void> {
  const recorder = newRecorder(begun);
  await recorder.recover();
  await recorder.whenDone(attempt().id);
}

async function end(id: ExecutionId, endedAt: number): Promise<void> {
  const execution = await storage.read.findExecution({ id });
  if (execution === undefined) throw new Error("no such execution");
  const result = { status: "success", endedAt, durationMs: 1, exitCode: 0, reason: null, code: null, usage: {} } as const;
  await storage.transaction((tx) => tx.endExecution({ ...execution, ...result }));
}

beforeEach(async () => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), "skein-recorder-")));
  home = mkdtempSync(join(tmpdir(), "skein-recorder-home-"));
  notes = join(home, "unrecorded");
  git("init", "--quiet");
  writeFileSync(join(directory, "made.txt"), "made\n");
  storage = await openSqliteStorage({ file: join(home, "skein.db") });
  await storage.transaction(async (tx) => {
    await tx.insertProject(buildProject({ path: directory }));
    await tx.insertTask(buildTask());
    await tx.insertAttempt(attempt());
    await tx.insertExecution(buildExecution({ id: ids[0], number: 1, startedAt: 1 }));
  });
});

afterEach(() => storage.close());

describe("[Q5] what an earlier server had no time to record", () => {
  test("is recorded by the next, once", async () => {
    newRecorder().expect(ids[0]);
    await end(ids[0], Date.now());
    await recover();
    expect(listTrees()).toEqual([`refs/skein/executions/${ids[0]}`]);
    expect(readdirSync(notes)).toEqual([]);
    await recover();
    expect(listTrees()).toHaveLength(1);
  });

  test("is reported as approximate when files have changed since", async () => {
    newRecorder().expect(ids[0]);
    await end(ids[0], 1000);
    await recover();
    expect(listTrees()).toEqual([`refs/skein/late-executions/${ids[0]}`]);
  });

  test("stays as it is if it was recorded and only the note is left", async () => {
    await end(ids[0], Date.now());
    await newRecorder().record(attempt(), ids[0]);
    const [ref = ""] = listTrees();
    const recorded = git("rev-parse", ref);
    newRecorder().expect(ids[0]);
    writeFileSync(join(directory, "made.txt"), "changed\n");
    await recover();
    expect(git("rev-parse", ref)).toBe(recorded);
    expect(readdirSync(notes)).toEqual([]);
  });

  test("is left out when the next agent has begun to write, and not before", async () => {
    newRecorder().expect(ids[0]);
    await end(ids[0], Date.now());
    await storage.transaction((tx) => tx.insertExecution(buildExecution({ id: ids[1], number: 2, startedAt: 2 })));
    newRecorder().expect(ids[1]);
    await recover([ids[1]]);
    expect(listTrees()).toEqual([]);
    // the one that runs is recorded by whoever follows it
    expect(readdirSync(notes)).toEqual([ids[1]]);
    newRecorder().expect(ids[0]);
    await recover();
    expect(listTrees()).toEqual([`refs/skein/executions/${ids[0]}`]);
  });

  test("is dropped with a deleted execution, and with a missing folder", async () => {
    newRecorder().expect(testId("exe", 9));
    newRecorder().expect(ids[0]);
    await storage.transaction(async (tx) => {
      await tx.deleteAttempt({ id: attempt().id });
    });
    await recover();
    expect(readdirSync(notes)).toEqual([]);
  });
});
