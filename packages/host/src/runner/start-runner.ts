import { Worker } from "node:worker_threads";
import { locateProgram } from "@skein/agents/locate-program";
import { toProgramArgs } from "../program-args.ts";
import { createRequestThread } from "../threads/request-thread.ts";
import type { RunnerOrder } from "./execution-folder.ts";

const program = locateProgram(new URL("./runner-program.ts", import.meta.url));

export interface RunnerStart {
  /** What Node is to run. */
  args: string[];
  environment: Record<string, string>;
  order: RunnerOrder;
}

/** Undefined: the runner can be reached. */
export type RunnerStartFailure = { message: string; cause?: { message: string; code?: string } } | undefined;

/** To start a process blocks the thread that does it for some milliseconds, more on a busy machine. */
const thread = createRequestThread<RunnerStart, RunnerStartFailure>({
  start: () => new Worker(locateProgram(new URL("./runner-thread-program.ts", import.meta.url)), { name: "runners" }),
  toFailure: ({ message, code }) => ({
    message: "The thread that starts runners failed.",
    cause: { message, ...(code === undefined ? {} : { code }) },
  }),
});

/**
 * Starts the runner and resolves when it can be reached. Rejects when the runner itself could not start; an agent that
 * cannot start is told by exit.json.
 */
export async function startRunner(order: RunnerOrder): Promise<void> {
  const failure = await thread.call({ args: toProgramArgs(program), environment: runnerEnvironment(), order });
  if (failure === undefined) return;
  const { message, cause } = failure;
  throw new Error(message, cause && { cause: Object.assign(new Error(cause.message), cause) });
}

/** Not the server's whole environment: what the agent may see is in the order. */
function runnerEnvironment(): Record<string, string> {
  const kept = ["PATH", "HOME", "TMPDIR"];
  return Object.fromEntries(kept.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])));
}
