import { spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { toProgramArgs } from "../program-args.ts";
import type { RunnerOrder } from "./execution-folder.ts";
import { executionFolder } from "./execution-folder.ts";

const program = new URL("./runner-program.ts", import.meta.url);

/**
 * Starts the runner and resolves when it can be reached. Rejects when the runner itself could not start; an agent that
 * cannot start is told by exit.json.
 */
export async function startRunner(order: RunnerOrder): Promise<void> {
  const errors = openSync(executionFolder(order.folder).runnerErrors, "a", 0o600);
  const runner = spawn(process.execPath, toProgramArgs(program), {
    cwd: order.folder,
    env: runnerEnvironment(),
    stdio: ["pipe", "pipe", errors],
    detached: true,
  });
  closeSync(errors);
  runner.unref();
  const { stdin, stdout } = runner;
  if (stdin === null || stdout === null) throw new Error("The runner was started without its pipes.");
  try {
    await new Promise<void>((resolve, reject) => {
      runner.once("error", (cause) => reject(new Error("The runner could not be started.", { cause })));
      runner.once("exit", (code) => reject(new Error(`The runner ended before it started the agent (exit code ${code}).`)));
      stdout.once("data", () => resolve());
      stdin.on("error", () => {}); // it exited; told by "exit"
      stdin.end(JSON.stringify(order));
    });
  } finally {
    runner.removeAllListeners();
    stdout.destroy();
  }
}

/** Not the server's whole environment: what the agent may see is in the order. */
function runnerEnvironment(): Record<string, string> {
  const kept = ["PATH", "HOME", "TMPDIR"];
  return Object.fromEntries(kept.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])));
}
