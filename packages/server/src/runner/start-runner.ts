import { spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import type { Readable, Writable } from "node:stream";
import { toProgramArgs } from "../program-args.ts";
import type { RunnerOrder } from "./execution-folder.ts";
import { executionFolder } from "./execution-folder.ts";

const program = new URL("./runner-program.ts", import.meta.url);

/**
 * Starts the runner and resolves when it can be reached. Rejects when the runner itself could not start; an agent that
 * cannot start is told by exit.json.
 */
export async function startRunner(order: RunnerOrder): Promise<void> {
  const errors = openErrors(order);
  const runner = spawn(process.execPath, toProgramArgs(program), {
    cwd: order.folder,
    env: runnerEnvironment(),
    stdio: ["pipe", "pipe", errors ?? "ignore"],
    detached: true,
  });
  if (errors !== undefined) closeSync(errors);
  runner.unref();
  // a process that could not be made for want of open files has no pipes: its error comes all the same
  const { stdin, stdout } = runner as { stdin?: Writable; stdout?: Readable };
  try {
    await new Promise<void>((resolve, reject) => {
      runner.once("error", (cause) => reject(new Error("The runner could not be started.", { cause })));
      let answer = "";
      // "close" comes when all that it wrote has been read
      runner.once("close", (code) => reject(toStartError(answer, code)));
      stdout?.on("data", (chunk: Buffer) => {
        answer += chunk.toString();
        if (answer === "ready\n") resolve();
      });
      stdin?.on("error", () => {}); // it exited; told by "close"
      stdin?.end(JSON.stringify(order));
    });
  } finally {
    runner.removeAllListeners();
    runner.on("error", () => {});
    stdout?.destroy();
  }
}

function openErrors(order: RunnerOrder): number | undefined {
  try {
    return openSync(executionFolder(order.folder).runnerErrors, "a", 0o600);
  } catch {
    return undefined; // it has its own way to report why it cannot start
  }
}

/** What the runner reported, as an error of the system where it was one. */
function toStartError(answer: string, exitCode: number | null): Error {
  const message = `The runner ended before it started the agent (exit code ${exitCode}).`;
  try {
    const { message: text, code } = JSON.parse(answer) as { message: string; code?: string };
    return new Error(message, { cause: Object.assign(new Error(text), { code }) });
  } catch {
    return new Error(message);
  }
}

/** Not the server's whole environment: what the agent may see is in the order. */
function runnerEnvironment(): Record<string, string> {
  const kept = ["PATH", "HOME", "TMPDIR"];
  return Object.fromEntries(kept.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])));
}
