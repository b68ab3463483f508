import { Worker } from "node:worker_threads";
import { locateProgram } from "@skein/agents/locate-program";
import { toProgramArgs } from "../program-args.ts";
import { createRequestThread } from "../threads/request-thread.ts";
import type { RunnerOrder } from "./execution-folder.ts";

const runner = locateProgram(new URL("./runner-program.ts", import.meta.url));

export interface RunnerStart {
  /** Arguments for Node. */
  args: string[];
  environment: Record<string, string>;
  /** The program's input. */
  order: DetachedOrder;
}

/** Undefined on success: the runner is reachable. */
export type RunnerStartFailure = { message: string; cause?: { message: string; code?: string } } | undefined;

/** Spawning blocks the calling thread for milliseconds, longer on a busy machine. */
const thread = createRequestThread<RunnerStart, RunnerStartFailure>({
  start: () => new Worker(locateProgram(new URL("./runner-thread-program.ts", import.meta.url)), { name: "runners" }),
  toFailure: ({ message, code }) => ({
    message: "The thread that starts runners failed.",
    cause: { message, ...(code === undefined ? {} : { code }) },
  }),
});

/**
 * Starts the runner and resolves when it is reachable. Rejects if the runner itself cannot start; an agent that cannot start is
 * reported by exit.json.
 */
export const startRunner = (order: RunnerOrder): Promise<void> => startDetached(runner, order);

/** Input of a detached program, which it reads from stdin. */
export interface DetachedOrder {
  /** Where it leaves its files. */
  folder: string;
}

/** Starts a program that outlives this process and prints "ready" once it is reachable. Rejects if it cannot start. */
export async function startDetached(program: URL, order: DetachedOrder): Promise<void> {
  const failure = await thread.call({ args: toProgramArgs(program), environment: runnerEnvironment(), order });
  if (failure === undefined) return;
  const { message, cause } = failure;
  throw new Error(message, cause && { cause: Object.assign(new Error(cause.message), cause) });
}

/** Minimal environment of the runner; the agent's environment is in the order. */
function runnerEnvironment(): Record<string, string> {
  const kept = ["PATH", "HOME", "TMPDIR"];
  return Object.fromEntries(kept.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])));
}
