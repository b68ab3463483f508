import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type HostileCase, hostileCases, newHostileRepository } from "@skein/testkit/hostile-repositories";
import { describe, expect, test } from "vitest";
import { diffAgainstBase } from "./attempt-diff.ts";
import {
  type Attempt,
  endAttempt,
  type Isolation,
  type Operation,
  operations,
  startAttempt,
  worktreeOperations,
} from "./hostile-operations.fixture.ts";
import { runHostileCases, runHostileCasesInProcesses } from "./hostile-runs.fixture.ts";

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
  for (const [name, operation] of Object.entries({ ...operations, ...(isolation === "worktree" ? worktreeOperations : {}) })) {
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

// each starts git a hundred times
describe("[X9] a hostile repository starts nothing", { timeout: 180_000 }, () => {
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

  const wanted = Number(process.env.SKEIN_TEST_HOSTILE_CASES ?? (isLong ? 100_000 : 30));

  test(`in any combination and order, before and after an agent has worked (${wanted} calls)`, { timeout: 8 * 3_600_000 }, async () => {
    const run = wanted > 1000 ? runHostileCasesInProcesses : runHostileCases;
    const { calls, failed, operationsSeen } = await run(wanted);
    expect(calls).toBeGreaterThanOrEqual(wanted);
    // a call that fails proves less: it must be the exception, which thirty random ones need not show
    expect(failed).toBeLessThan(wanted > 1000 ? calls / 3 : calls);
    if (wanted > 1000) expect(operationsSeen.toSorted()).toEqual(Object.keys({ ...operations, ...worktreeOperations }).toSorted());
  });
});
