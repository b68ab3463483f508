/*
 * Starts runners in a worker thread, and reaps them when they exit. They outlive the thread and the server.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import type { Readable, Writable } from "node:stream";
import { serveRequests } from "../threads/serve-requests.ts";
import { executionFolder } from "./execution-folder.ts";
import { lowerPriority } from "./lower-priority.ts";
import type { RunnerStart, RunnerStartFailure } from "./start-runner.ts";

let running = 0;
const thread = serveRequests<RunnerStart, RunnerStartFailure>(async ({ args, environment, order }) => {
  const errors = openErrors(order);
  const runner = spawn(process.execPath, args, {
    cwd: order.folder,
    env: environment,
    stdio: ["pipe", "pipe", errors ?? "ignore"],
    detached: true,
  });
  // at once: loading Node and the driver is most of the work of a start
  if (runner.pid !== undefined) lowerPriority(runner.pid);
  if (errors !== undefined) closeSync(errors);
  runner.unref();
  collect(runner);
  return giveOrder(runner, order);
});

function collect(runner: ChildProcess): void {
  if (runner.pid === undefined) return;
  thread.waitFor(++running);
  runner.once("exit", () => thread.waitFor(--running));
}

/** Sends the order and waits until the runner is reachable. */
async function giveOrder(runner: ChildProcess, order: RunnerStart["order"]): Promise<RunnerStartFailure> {
  // a process that could not be created for lack of file descriptors has no pipes, but still emits an error
  const { stdin, stdout } = runner as { stdin?: Writable | null; stdout?: Readable | null };
  const failure = await new Promise<RunnerStartFailure>((resolve) => {
    runner.on("error", ({ message, code }: NodeJS.ErrnoException) =>
      resolve({ message: "The runner could not be started.", cause: { message, ...(code === undefined ? {} : { code }) } }),
    );
    let answer = "";
    // "close" is emitted after all its output has been read
    runner.once("close", (code) => resolve(toStartFailure(answer, code)));
    stdout?.on("data", (chunk: Buffer) => {
      answer += chunk.toString();
      if (answer === "ready\n") resolve(undefined);
    });
    stdin?.on("error", () => {}); // it exited; "close" follows
    stdin?.end(JSON.stringify(order));
  });
  stdout?.destroy();
  return failure;
}

function openErrors(order: RunnerStart["order"]): number | undefined {
  try {
    return openSync(executionFolder(order.folder).runnerErrors, "a", 0o600);
  } catch {
    return undefined; // it reports by itself why it cannot start
  }
}

/** Converts the runner's report; keeps the system error code if it has one. */
function toStartFailure(answer: string, exitCode: number | null): RunnerStartFailure {
  const message = `The runner ended before it started the agent (exit code ${exitCode}).`;
  try {
    const { message: text, code } = JSON.parse(answer) as { message: string; code?: string };
    return { message, cause: { message: text, ...(code === undefined ? {} : { code }) } };
  } catch {
    return { message };
  }
}
