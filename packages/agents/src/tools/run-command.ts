import { existsSync } from "node:fs";
import { StringDecoder } from "node:string_decoder";
import { signalGroup } from "../programs/signal-group.ts";
import type { SandboxOrder } from "../sandbox/sandbox-order.ts";
import { startProgram } from "../sandbox/start-program.ts";

export interface CommandInput {
  command: string;
  cwd: string;
  environment: Readonly<Record<string, string>>;
  sandbox?: SandboxOrder | undefined;
  /** No limit if absent. */
  timeoutMs?: number;
  signal: AbortSignal;
  onOutput(stream: "stdout" | "stderr", text: string): void;
}

export type CommandEnd =
  | { type: "exited"; exitCode: number }
  | { type: "killed"; signal: string }
  | { type: "timed-out" }
  | { type: "aborted" }
  | { type: "not-started"; reason: string };

const killGraceMs = 500;
const drainMs = 250;

/**
 * Runs a shell command in its own process group and resolves when the group has ended. Background processes end with it: a forgotten
 * server would keep its port and outlive the execution.
 */
export function runCommand({ command, cwd, environment, sandbox, timeoutMs, signal, onOutput }: CommandInput): Promise<CommandEnd> {
  if (signal.aborted) return Promise.resolve({ type: "aborted" });
  const shell = existsSync("/bin/bash") ? "/bin/bash" : "/bin/sh";
  return new Promise((resolve) => {
    const child = startProgram(sandbox, { program: shell, args: ["-c", command], cwd, environment }, { stdin: "ignore" });
    let cause: "timed-out" | "aborted" | undefined;
    let killTimer: NodeJS.Timeout | undefined;
    let drainTimer: NodeJS.Timeout | undefined;
    const end = (why: "timed-out" | "aborted") => {
      if (cause !== undefined) return;
      cause = why;
      signalGroup(child.pid, "SIGTERM");
      killTimer = setTimeout(() => signalGroup(child.pid, "SIGKILL"), killGraceMs);
    };
    const onAbort = () => end("aborted");
    const timer = timeoutMs === undefined ? undefined : setTimeout(() => end("timed-out"), timeoutMs);
    signal.addEventListener("abort", onAbort, { once: true });

    const flushes = (["stdout", "stderr"] as const).map((name) => {
      const decoder = new StringDecoder("utf8");
      child[name]?.on("data", (bytes: Buffer) => onOutput(name, decoder.write(bytes)));
      return () => onOutput(name, decoder.end());
    });
    const finish = (result: CommandEnd) => {
      for (const pending of [timer, killTimer, drainTimer]) clearTimeout(pending);
      signal.removeEventListener("abort", onAbort);
      for (const flush of flushes) flush();
      resolve(result);
    };
    child.once("error", (error) => finish({ type: "not-started", reason: error.message }));
    child.once("exit", () => {
      signalGroup(child.pid, "SIGKILL");
      // A process that left the group may keep the pipes open; its output no longer belongs to this command.
      drainTimer = setTimeout(() => {
        child.stdout?.destroy();
        child.stderr?.destroy();
      }, drainMs);
    });
    child.once("close", (exitCode, killedBy) => {
      if (cause !== undefined) finish({ type: cause });
      else if (exitCode !== null) finish({ type: "exited", exitCode });
      else finish({ type: "killed", signal: killedBy ?? "unknown" });
    });
  });
}
