import { spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
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
  timeoutMs: number;
  /** Marks everything that the script starts, so that all of it can be ended. */
  marker: string;
  /** The cgroup that it runs in, if there is one. */
  cgroup?: string | undefined;
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
  const { program, args } = toMarkedCommand({
    program: "/bin/sh",
    args: ["-c", order.script],
    executionId,
    cgroup,
    cwd: order.cwd,
    searchPath: undefined,
  });
  const child = spawn(program, args, {
    cwd: order.cwd,
    env: { ...order.environment, [executionMarker]: order.marker },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const closed = [listen(child.stdout, "stdout"), listen(child.stderr, "stderr")];
  let timedOut = false;
  const roots = child.pid === undefined ? [] : [{ pid: child.pid, startTime: processTable.readStartTime(child.pid) }];
  const killAll = () => killExecutionProcesses({ executionId, roots, cgroup });
  const timer = setTimeout(() => {
    timedOut = true;
    void killAll();
  }, order.timeoutMs);

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
    const drained = Promise.all(closed);
    const wait = () => Promise.race([drained, new Promise((resolve) => setTimeout(resolve, drainAfterExitMs).unref())]);
    if (end.startError === undefined) {
      // processes that it leaves running would hold its pipes open and never be ended
      await wait();
      await killAll();
      readRest(child.stdout);
      readRest(child.stderr);
      await wait();
    }
    child.stdout.destroy();
    child.stderr.destroy();
    return { ...end, timedOut };
  }

  return {
    sources: [child.stdout, child.stderr],
    ended: waitForEnd(),
    stop() {
      if (child.pid !== undefined) signalProcess(-child.pid, "SIGTERM");
      setTimeout(() => void killAll(), stopGraceMs).unref();
    },
  };
}
