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
 * Random hostile repositories. A case is one call of one function of ours that runs git, in a repository with random traps and
 * after random acts of an agent, and a look at the trace of the trapped program after it. `maxCallsPerRun` calls share a
 * repository, which changes between them.
 */

const maxCallsPerRun = 100;
/** Repositories at a time in one process: most of the time it waits for git. */
const lanes = 3;

const { fromTheRepository, partialClones, byAnAgent } = hostileCases;

export interface HostileFigures {
  calls: number;
  /** Of these, the ones that failed, as they may where an agent or a missing object left nothing to look at. */
  failed: number;
  operationsSeen: string[];
}

interface Step {
  /** What an agent does before the call, by name. */
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

/** Makes at least `wanted` calls in this process. Throws with the whole run as soon as a program of a repository has started. */
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

const program = fileURLToPath(new URL("./hostile-runs-program.ts", import.meta.url));

/** The same in one process for each core: a process that is small starts git faster. */
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
    // a worktree of a partial clone lacks files: it is refused
    started = await startAttempt(hostile, "worktree").catch((error: unknown) => {
      if (!partialClones.some(({ name }) => traps.includes(name))) throw error;
      return undefined;
    });
    check("starting an attempt in a worktree");
  }
  const attempt = started ?? (await startAttempt(hostile, "in-place"));
  check("starting an attempt");
  // those of a worktree take ten times as long: they come up more rarely
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

/** What an agent does may fail after what it did before. */
function act(step: () => void): void {
  try {
    step();
  } catch {
    // nothing there to do it to
  }
}

/** In memory, where there is such a folder and programs may run from it: the trapped program is one. */
function findFastFolder(): string {
  const memory = "/dev/shm";
  if (!existsSync(memory)) return tmpdir();
  try {
    const folder = mkdtempSync(join(memory, "skein-hostile-try-"));
    const file = join(folder, "program");
    writeFileSync(file, "#!/bin/sh\n");
    chmodSync(file, 0o755);
    try {
      // refused where the file system is mounted without execution
      accessSync(file, constants.X_OK);
      return memory;
    } finally {
      rmSync(folder, { recursive: true });
    }
  } catch {
    return tmpdir();
  }
}
