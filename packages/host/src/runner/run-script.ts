import { type ChildProcess, spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import type { startSandboxed } from "@skein/agents/sandbox";
import type { SandboxOrder } from "@skein/agents/sandbox-order";
import { readRest } from "./buffered-file.ts";
import { executionMarker } from "./execution-marker.ts";
import { toMarkedCommand } from "./marked-command.ts";
import { processTable } from "./process-table.ts";
import { killExecutionProcesses, signalProcess } from "./process-tree.ts";

const stopGraceMs = 2500;
const drainAfterExitMs = 500;

/** A script of a repository that the user trusts. Its text never comes from an HTTP request (X7, X8). */
export interface ScriptOrder {
  script: string;
  cwd: string;
  environment: Readonly<Record<string, string>>;
  /** Null: none. */
  timeoutMs: number | null;
  /** Marks everything that the script starts, so that all of it can be ended. */
  marker: string;
  /** The cgroup that it runs in, if there is one. */
  cgroup?: string | undefined;
  /** Default: none. */
  sandbox?: { order: SandboxOrder; start: typeof startSandboxed } | undefined;
}

export interface ScriptEnd {
  exitCode: number | null;
  signal: string | null;
  timedOut: boolean;
  /** Why it could not be started. */
  startError?: string;
}

export interface RunningScript {
  readonly sources: readonly Readable[];
  /** Resolves when all its processes are gone. Never rejects. */
  readonly ended: Promise<ScriptEnd>;
  /** First by SIGTERM, then by SIGKILL. */
  stop(): void;
}

/** Runs it with `sh`, in its own process group, without stdin. */
export function runScript(order: ScriptOrder, onOutput: (stream: "stdout" | "stderr", text: string) => void): RunningScript {
  const { marker: executionId, cgroup } = order;
  const { cwd } = order;
  const mark = (command: { program: string; args: readonly string[] }) =>
    toMarkedCommand({ ...command, executionId, cgroup, cwd, searchPath: undefined });
  const shell = { program: "/bin/sh", args: ["-c", order.script] };
  const env = { ...order.environment, [executionMarker]: order.marker };
  const { child, stdout, stderr } = start();
  const closed = [listen(stdout, "stdout"), listen(stderr, "stderr")];
  let timedOut = false;
  const roots = child.pid === undefined ? [] : [{ pid: child.pid, startTime: processTable.readStartTime(child.pid) }];
  const killAll = () => killExecutionProcesses({ executionId, roots, cgroup });
  const onTimeout = (): void => {
    timedOut = true;
    void killAll();
  };
  const timer = order.timeoutMs === null ? undefined : setTimeout(onTimeout, order.timeoutMs);
  let grace: NodeJS.Timeout | undefined;

  function start(): { child: ChildProcess; stdout: Readable; stderr: Readable } {
    if (order.sandbox === undefined) {
      const { program, args } = mark(shell);
      const child = spawn(program, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"], detached: true });
      return { child, stdout: child.stdout, stderr: child.stderr };
    }
    const child = order.sandbox.start(order.sandbox.order, { ...shell, cwd, environment: env }, { stdin: "ignore", wrap: mark });
    if (child.stdout === null || child.stderr === null) throw new Error("The sandbox has no output.");
    return { child, stdout: child.stdout, stderr: child.stderr };
  }

  function listen(source: Readable, name: "stdout" | "stderr"): Promise<void> {
    const decoder = new StringDecoder("utf8");
    source.on("data", (chunk: Buffer) => onOutput(name, decoder.write(chunk)));
    return new Promise((resolve) => {
      source.once("close", () => {
        onOutput(name, decoder.end());
        resolve();
      });
    });
  }

  async function waitForEnd(): Promise<ScriptEnd> {
    const end = await new Promise<Omit<ScriptEnd, "timedOut">>((resolve) => {
      child.once("error", (error) => resolve({ exitCode: null, signal: null, startError: error.message }));
      child.once("exit", (exitCode, signal) => resolve({ exitCode, signal }));
    });
    clearTimeout(timer);
    // the next script may have the same marker
    clearTimeout(grace);
    const drained = Promise.all(closed);
    const wait = () => Promise.race([drained, new Promise((resolve) => setTimeout(resolve, drainAfterExitMs).unref())]);
    if (end.startError === undefined) {
      // processes that it leaves running would hold its pipes open and never be ended
      await wait();
      await killAll();
      readRest(stdout);
      readRest(stderr);
      await wait();
    }
    stdout.destroy();
    stderr.destroy();
    return { ...end, timedOut };
  }

  return {
    sources: [stdout, stderr],
    ended: waitForEnd(),
    stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      if (child.pid !== undefined) signalProcess(-child.pid, "SIGTERM");
      grace ??= setTimeout(() => void killAll(), stopGraceMs).unref();
    },
  };
}
