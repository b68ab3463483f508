import { execFile } from "node:child_process";
import { accessSync, chmodSync, constants, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { hostileCases, newHostileRepository } from "@skein/testkit/hostile-repositories";
import fc from "fast-check";
import { type Attempt, type Isolation, operations, startAttempt, worktreeOperations } from "./hostile-operations.fixture.ts";

/*
 * Random hostile repositories. A case is one call of a function that runs git, in a repository with random traps, after random agent
 * actions. After it, the trace of the trapped program is checked. `maxCallsPerRun` calls share a repository, which changes between
 * them.
 */

const maxCallsPerRun = 100;
/** Repositories processed concurrently: the process mostly waits for git. */
const lanes = 3;

const { fromTheRepository, partialClones, byAnAgent } = hostileCases;

export interface HostileFigures {
  calls: number;
  /** Calls that failed, which is legitimate if an agent removed the files or an object is missing. */
  failed: number;
  operationsSeen: string[];
}

interface Step {
  /** Names of the agent actions before the call. */
  acts: string[];
  call: number;
}

interface Run {
  traps: string[];
  isolation: Isolation;
  steps: Step[];
}

const step: fc.Arbitrary<Step> = fc.record({
  acts: fc.oneof(
    { weight: 5, arbitrary: fc.constant<string[]>([]) },
    { weight: 1, arbitrary: fc.constantFrom(...byAnAgent).map(({ name }) => [name]) },
  ),
  call: fc.nat(),
});

const someTraps = fc.subarray([...fromTheRepository], { minLength: 1, maxLength: 6 });
const toRun = (calls: number): fc.Arbitrary<Run> =>
  fc.record({
    traps: fc
      .oneof(
        { weight: 5, arbitrary: someTraps },
        { weight: 1, arbitrary: fc.tuple(someTraps, fc.constantFrom(...partialClones)).map(([traps, partial]) => [...traps, partial]) },
      )
      .map((traps) => traps.map(({ name }) => name)),
    isolation: fc.oneof(
      { weight: 3, arbitrary: fc.constant<Isolation>("worktree") },
      { weight: 1, arbitrary: fc.constant<Isolation>("in-place") },
    ),
    steps: fc.array(step, { minLength: calls, maxLength: calls, size: "max" }),
  });

/** Makes at least `wanted` calls in this process. Throws with a description of the run if a program of a repository was started. */
export async function runHostileCases(wanted: number): Promise<HostileFigures> {
  const figures = { calls: 0, failed: 0, seen: new Set<string>() };
  const under = findFastFolder();
  const callsPerRun = Math.min(maxCallsPerRun, wanted);
  const atOnce = Math.min(lanes, Math.ceil(wanted / callsPerRun));
  const property = fc.asyncProperty(fc.array(toRun(callsPerRun), { minLength: atOnce, maxLength: atOnce }), async (runs) => {
    await Promise.all(runs.map((one) => play(one, under, figures)));
  });
  await fc.assert(property, { numRuns: Math.ceil(wanted / callsPerRun / atOnce), endOnFailure: true });
  return { calls: figures.calls, failed: figures.failed, operationsSeen: [...figures.seen] };
}

const program = fileURLToPath(new URL("./__fixtures__/hostile-runs-program.ts", import.meta.url));

/** Like `runHostileCases`, with one process per core: small processes spawn git faster. */
export async function runHostileCasesInProcesses(wanted: number): Promise<HostileFigures> {
  const processes = Math.max(2, availableParallelism());
  const one = async (): Promise<HostileFigures> => {
    const { stdout } = await promisify(execFile)(process.execPath, [program, String(Math.ceil(wanted / processes))]);
    return JSON.parse(stdout) as HostileFigures;
  };
  const all = await Promise.all(Array.from({ length: processes }, one));
  return {
    calls: all.reduce((sum, { calls }) => sum + calls, 0),
    failed: all.reduce((sum, { failed }) => sum + failed, 0),
    operationsSeen: [...new Set(all.flatMap((figures) => figures.operationsSeen))],
  };
}

async function play({ traps, isolation, steps }: Run, under: string, figures: { calls: number; failed: number; seen: Set<string> }) {
  const hostile = newHostileRepository(under);
  const check = (after: string): void => {
    const trace = hostile.fired();
    if (trace !== "") throw new Error(`${after} started ${trace}\nin ${JSON.stringify({ traps, isolation, steps })}`);
  };
  for (const { name, build } of [...fromTheRepository, ...partialClones]) if (traps.includes(name)) build?.(hostile);
  hostile.forgetTrace();
  let started: Attempt | undefined;
  if (isolation === "worktree") {
    // a worktree of a partial clone lacks files and is rejected
    started = await startAttempt(hostile, "worktree").catch((error: unknown) => {
      if (!partialClones.some(({ name }) => traps.includes(name))) throw error;
      return undefined;
    });
    check("starting an attempt in a worktree");
  }
  const attempt = started ?? (await startAttempt(hostile, "in-place"));
  check("starting an attempt");
  // worktree operations take ten times as long, so they are chosen less often
  const usual = Object.entries(operations);
  const possible = attempt.branch === null ? usual : [...usual, ...usual, ...usual, ...Object.entries(worktreeOperations)];
  for (const { acts, call } of steps) {
    for (const { name, asAgent } of byAnAgent) if (acts.includes(name)) act(() => asAgent?.(hostile, attempt.folder.directory));
    if (acts.length > 0) hostile.forgetTrace();
    const [name, operation] = possible[call % possible.length] ?? ["", async () => {}];
    figures.calls += 1;
    figures.seen.add(name);
    await operation(attempt).catch(() => {
      figures.failed += 1;
    });
    check(name);
  }
  rmSync(hostile.outside, { recursive: true, force: true });
}

/** An action may fail after earlier ones. */
function act(step: () => void): void {
  try {
    step();
  } catch {
    // nothing left to act on
  }
}

/** A folder in memory if it allows running programs, which the trapped program needs. */
function findFastFolder(): string {
  const memory = "/dev/shm";
  if (!existsSync(memory)) return tmpdir();
  try {
    const folder = mkdtempSync(join(memory, "skein-hostile-try-"));
    const file = join(folder, "program");
    writeFileSync(file, "#!/bin/sh\n");
    chmodSync(file, 0o755);
    try {
      // fails if the file system is mounted noexec
      accessSync(file, constants.X_OK);
      return memory;
    } finally {
      rmSync(folder, { recursive: true });
    }
  } catch {
    return tmpdir();
  }
}
