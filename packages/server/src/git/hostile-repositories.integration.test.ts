import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createId, type ExecutionId } from "@skein/contracts";
import { type HostileCase, type HostileRepository, hostileCases, newHostileRepository } from "@skein/testkit/hostile-repositories";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createPathLists } from "../files/list-paths.ts";
import { diffAgainstBase } from "./attempt-diff.ts";
import { carryChanges } from "./carry-changes.ts";
import { hasChangedSince } from "./changed-since.ts";
import { statAgainstBase } from "./diff-stat.ts";
import { deleteExecutionTrees, diffExecutionTrees, hasExecutionTree, recordExecutionTree } from "./execution-trees.ts";
import type { GitFolder } from "./git-folder.ts";
import { inspectRepository } from "./inspect-repository.ts";
import { createOwnGitDir } from "./own-git-dir.ts";
import { openBase } from "./snapshot.ts";
import {
  addWorktree,
  findWorktreeGitDir,
  forgetWorktree,
  listUncommitted,
  removeOrphanWorktree,
  removeWorktree,
  resolveBase,
  resolveHead,
  restoreWorktree,
} from "./worktrees.ts";

/** What a server knows of a project and one attempt in it. */
interface Attempt {
  repository: GitFolder;
  folder: GitFolder;
  branch: string | null;
  baseCommit: string | null;
  executions: ExecutionId[];
  home: string;
}

const root = ({ home }: Pick<Attempt, "home">): string => join(home, "worktrees");
let made = 0;

async function startAttempt(hostile: HostileRepository, isolation: "worktree" | "in-place"): Promise<Attempt> {
  const home = join(hostile.outside, `home-${++made}`);
  const repository = await createOwnGitDir(join(home, "git/project"), await inspectRepository(hostile.path));
  const { commit: baseCommit } = await resolveBase(repository, undefined);
  if (isolation === "in-place") {
    const folder = await createOwnGitDir(join(home, "git/attempt"), repository);
    await openBase(folder, baseCommit);
    return { repository, folder, branch: null, baseCommit, executions: [], home };
  }
  const { branch, folder } = await addNext({ repository, home, baseCommit }, baseCommit);
  return { repository, folder, branch, baseCommit, executions: [], home };
}

function addNext({ repository, home, baseCommit }: Pick<Attempt, "repository" | "home" | "baseCommit">, commit: string | null) {
  const name = `attempt-${++made}`;
  const place = { folderName: name, ownDir: join(home, "git", name), taskTitle: "Work", number: made };
  return addWorktree({ ...place, repository, root: root({ home }), commit, baseCommit });
}

type Operation = (attempt: Attempt) => Promise<unknown>;

/** Every function that runs git. Those of a worktree leave the attempt with one. */
const operations: Record<string, Operation> = {
  // once an agent has put something else in the place of .git, it may be no repository
  inspect: ({ repository }) => inspectRepository(repository.directory).catch(() => undefined),
  "resolve base": async ({ repository }) => {
    await resolveBase(repository, undefined);
    await resolveBase(repository, "main");
  },
  "resolve head": ({ folder }) => resolveHead(folder),
  diff: diffAgainstBase,
  "diff stat": statAgainstBase,
  uncommitted: ({ folder }) => listUncommitted(folder),
  "changed since": ({ folder, baseCommit }) => hasChangedSince(folder, baseCommit, Date.now() + 60_000),
  "list paths": ({ folder }) => createPathLists(Date.now)("", async () => folder),
  "list paths of the project": async ({ repository }) => {
    await openBase(repository, await resolveHead(repository), { refresh: false });
    return createPathLists(Date.now)("", async () => repository);
  },
  "open a base again": async ({ folder, baseCommit }) => {
    rmSync(join(folder.ownDir, "base.json"), { force: true });
    await openBase(folder, baseCommit);
  },
  "record an execution": async (attempt) => {
    const executionId = createId("exe", Date.now());
    attempt.executions.push(executionId);
    await recordExecutionTree({ ...attempt, executionId });
    expect(await hasExecutionTree(attempt.folder, executionId)).toBe(true);
  },
  "record one late": async (attempt) => {
    const executionId = createId("exe", Date.now());
    attempt.executions.push(executionId);
    await recordExecutionTree({ ...attempt, executionId, endedAt: 1 });
  },
  "execution diff": async (attempt) => {
    const executionId = attempt.executions.at(-1) ?? createId("exe", Date.now());
    await diffExecutionTrees({ ...attempt, executionId, before: attempt.executions.slice(0, -1), isRunning: false });
  },
  "delete trees": async (attempt) => {
    await deleteExecutionTrees(attempt.repository, attempt.executions.splice(0));
  },
  "go on in another worktree": async (attempt) => {
    const commit = await resolveHead(attempt.folder);
    if (commit === null || attempt.branch === null) return;
    const { folder, branch } = await addNext(attempt, commit);
    await carryChanges({ from: attempt.folder, to: folder, commit, baseCommit: attempt.baseCommit });
    await removeWorktree({ ...attempt, root: root(attempt), directory: folder.directory, branch });
  },
  "find a worktree of an earlier release": async ({ repository, folder }) => findWorktreeGitDir(repository, folder.directory),
  "restore a worktree": async (attempt) => {
    const { branch, repository, folder, baseCommit } = attempt;
    if (branch === null) return;
    const place = { repository, directory: folder.directory, ownDir: folder.ownDir, branch, baseCommit };
    await restoreWorktree(place);
    rmSync(folder.directory, { recursive: true, force: true });
    await forgetWorktree(repository, folder.directory);
    await restoreWorktree(place);
    attempt.folder = { ...folder, gitDir: (await findWorktreeGitDir(repository, folder.directory)) ?? "" };
  },
  "look at an orphan": async (attempt) => {
    if (attempt.branch === null) return;
    const { folder } = await addNext(attempt, attempt.baseCommit);
    const place = { root: root(attempt), directory: folder.directory, ownDir: join(attempt.home, "git/orphan") };
    await removeOrphanWorktree({ ...place, repositories: [attempt.repository] });
  },
};

async function endAttempt(attempt: Attempt): Promise<void> {
  if (attempt.branch !== null) await removeWorktree({ ...attempt, root: root(attempt), directory: attempt.folder.directory });
}

/** Objects that are missing may make one fail; what must not happen is seen in the trace. */
async function perform(operation: Operation, attempt: Attempt, mayFail: boolean): Promise<void> {
  try {
    await operation(attempt);
  } catch (error) {
    if (!mayFail) throw error;
  }
}

function work(directory: string): void {
  writeFileSync(join(directory, "a.txt"), "one\nTWO\nthree\n");
  writeFileSync(join(directory, "new.txt"), "new\n");
}

type Isolation = "worktree" | "in-place";

/** One after another, every operation, on an attempt in which an agent has worked. */
async function attack(cases: readonly HostileCase[], isolation: Isolation): Promise<void> {
  const hostile = newHostileRepository();
  for (const { build } of cases) build?.(hostile);
  hostile.forgetTrace();
  const lacksObjects = cases.some((one) => one.lacksObjects === true);
  const started = await startAttempt(hostile, isolation).catch((error: unknown) => {
    if (!lacksObjects) throw error;
    return undefined;
  });
  expect(hostile.fired()).toBe("");
  // without its objects there is no worktree to work in
  if (started === undefined) return;
  const attempt: Attempt = started;
  work(attempt.folder.directory);
  for (const { asAgent } of cases) asAgent?.(hostile, attempt.folder.directory);
  hostile.forgetTrace();
  const mayFail = lacksObjects || (isolation === "in-place" && cases.some((one) => one.destroysRepository === true));
  if (!mayFail) {
    const { files } = await diffAgainstBase(attempt);
    expect(files.map(({ filePath }) => filePath)).toEqual(expect.arrayContaining(["a.txt", "new.txt"]));
  }
  for (const [name, operation] of Object.entries(operations)) {
    await perform(operation, attempt, mayFail);
    expect(hostile.fired(), name).toBe("");
  }
  await endAttempt(attempt);
  expect(hostile.fired()).toBe("");
  if (isolation === "worktree") expect(existsSync(attempt.folder.directory)).toBe(false);
}

const { fromTheRepository, partialClones, byAnAgent } = hostileCases;
const isLong = process.env.SKEIN_TEST_LONG === "1";
const isolations: readonly Isolation[] = ["worktree", "in-place"];

describe("[X9] a hostile repository starts nothing", () => {
  test.each(isolations)("with every trap in it, in an attempt in a %s", (isolation) => attack(fromTheRepository, isolation));

  test.each(partialClones)("$name, in a worktree", (one) => attack([one], "worktree"));

  test.each(byAnAgent)("$name, in a worktree", (one) => attack([one], "worktree"));

  test.each(byAnAgent.filter((one) => one.destroysRepository === true))("$name, in place", (one) => attack([one], "in-place"));

  test
    .runIf(isLong)
    .each([...fromTheRepository, ...partialClones, ...byAnAgent].flatMap((one) => isolations.map((isolation) => ({ one, isolation }))))(
    "$one.name, alone, in a $isolation",
    ({ one, isolation }) => attack([one], isolation),
  );

  const operationsPerRun = 25;
  /** Each is one operation on one hostile repository; some dozens share a repository. */
  const wanted = Number(process.env.SKEIN_TEST_HOSTILE_CASES ?? (isLong ? 100_000 : 25));

  test("in any combination and order, before and after an agent has worked", { timeout: 8 * 3_600_000 }, async () => {
    const step = fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...Object.keys(operations)).map((operation) => ({ operation })) },
      { weight: 1, arbitrary: fc.constantFrom(...byAnAgent).map(({ asAgent }) => ({ asAgent })) },
    );
    const run = fc.record({
      traps: fc.subarray([...fromTheRepository], { minLength: 1, maxLength: 4 }),
      partial: fc.option(fc.constantFrom(...partialClones), { freq: 8, nil: undefined }),
      isolation: fc.constantFrom(...isolations),
      steps: fc.array(step, { minLength: operationsPerRun, maxLength: operationsPerRun, size: "max" }),
    });
    const property = fc.asyncProperty(run, async ({ traps, partial, isolation, steps }) => {
      const hostile = newHostileRepository();
      for (const { build } of [...traps, ...(partial === undefined ? [] : [partial])]) build?.(hostile);
      hostile.forgetTrace();
      const attempt = await startAttempt(hostile, isolation).catch(() => undefined);
      expect(hostile.fired()).toBe("");
      for (const one of attempt === undefined ? [] : steps) {
        if ("operation" in one) await perform(operations[one.operation] as Operation, attempt as Attempt, true);
        else act(() => one.asAgent?.(hostile, (attempt as Attempt).folder.directory));
        if ("asAgent" in one) hostile.forgetTrace();
        expect(hostile.fired()).toBe("");
      }
      rmSync(hostile.outside, { recursive: true, force: true });
    });
    await fc.assert(property, { numRuns: Math.ceil(wanted / operationsPerRun), endOnFailure: true });
  });
});

/** What an agent does may fail after what it did before. */
function act(step: () => void): void {
  try {
    step();
  } catch {
    // nothing there to do it to
  }
}
