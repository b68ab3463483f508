import { type ChildProcess, spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import type { DriverContext, DriverControl, DriverOrder } from "@skein/agents/drivers";
import type { startSandboxed } from "@skein/agents/sandbox";
import { encodeRecordLine, escapeAgentLine } from "@skein/contracts/record-frame";
import { type BufferedFile, readRest } from "./buffered-file.ts";
import type { AgentExit, DriverRunnerOrder } from "./execution-folder.ts";
import type { ExecutionLog } from "./execution-log.ts";
import { executionMarker } from "./execution-marker.ts";
import { toMarkedCommand } from "./marked-command.ts";
import { processTable } from "./process-table.ts";
import type { ProcessIdentity } from "./process-tree.ts";

/*
 * A driver speaks another agent's protocol. It runs in the runner's process, so that an execution is one Node process and the agent.
 * It accesses the machine only through its context. The runner stays in control: it kills the agent's processes, and it exits without
 * the driver if that fails or hangs.
 */

/** Time limit for a driver to finish after all processes of its agent are gone. */
const endPatienceMs = 1000;
const drainErrorsMs = 500;
const newline = Buffer.from("\n");

export interface RunningDriver {
  /** Resolves when the driver has finished, failed, or was given up. Never rejects. */
  readonly ended: Promise<AgentExit>;
  /** Passes lines of JSON from the server. */
  control(data: string): void;
  /** Asks the agent to end. */
  stop(): void;
  /** All processes of the agent have been killed: the driver reads their remaining output, and ends. */
  abandon(): Promise<void>;
  /** Reads the remaining stderr, after the driver and its agent's processes have ended. */
  drainErrors(): Promise<void>;
  /** Reports an uncaught error: the driver's state is unreliable from here on. */
  fail(error: unknown): void;
}

export function runDriver(input: {
  order: DriverRunnerOrder;
  cgroup: string | undefined;
  log: ExecutionLog;
  errors: BufferedFile;
  /** Loaded only if the order has a sandbox. */
  startSandboxed?: typeof startSandboxed | undefined;
  onStarted(process: ProcessIdentity): void;
}): RunningDriver {
  const { order, log, errors } = input;
  const stopping = new AbortController();
  const ended = Promise.withResolvers<AgentExit>();
  const released = Promise.withResolvers<void>();
  const controls = createControls();
  const errorSources: Readable[] = [];
  let isOver = false;
  let isReleased = false;
  let areErrorsRead = false;

  function end(exit: Omit<AgentExit, "endedAt">): void {
    if (isOver) return;
    isOver = true;
    release();
    ended.resolve({ ...exit, endedAt: Date.now() });
  }

  /** Stops waiting for the disk: the writers have exited, and their remaining output is small. */
  function release(): void {
    isReleased = true;
    released.resolve();
    for (const source of errorSources) readRest(source);
  }

  function fail(error: unknown): void {
    if (isOver) return;
    errors.append(Buffer.from(`${error instanceof Error ? error.stack : String(error)}\n`));
    end({ exitCode: 1, signal: null });
  }

  /** Ignores output after the driver's end: the log may be closed. */
  function write(line: Uint8Array): void {
    if (!isOver) log.append(Buffer.concat([line, newline]));
  }

  function startProgram({ program, args, directory: cwd, environment, stdin }: Parameters<DriverContext["startProgram"]>[0]): ChildProcess {
    if (isOver) throw new Error("The execution has ended.");
    const { executionId, sandbox } = order;
    // the marker comes last: whatever is started here must be found when the execution is stopped
    const env = { ...environment, [executionMarker]: executionId };
    const mark = (command: { program: string; args: readonly string[] }) =>
      toMarkedCommand({ ...command, executionId, cgroup: input.cgroup, cwd, searchPath: environment.PATH });
    const child =
      sandbox !== undefined && input.startSandboxed !== undefined
        ? input.startSandboxed(sandbox, { program, args, cwd, environment: env }, { stdin, wrap: mark })
        : startMarked(mark({ program, args }), { cwd, env, stdin });
    if (child.pid !== undefined) input.onStarted({ pid: child.pid, startTime: processTable.readStartTime(child.pid) });
    return child;
  }

  const context: DriverContext = {
    order: JSON.parse(order.driverOrder) as DriverOrder,
    environment: order.environment,
    log: (line) => write(escapeAgentLine(typeof line === "string" ? Buffer.from(line) : line)),
    record: (record) => write(Buffer.from(encodeRecordLine(record))),
    whenWritable: () => (log.isHeld && !isReleased ? Promise.race([log.untilWritten(), released.promise]) : undefined),
    startProgram,
    logErrors(source) {
      errorSources.push(source);
      errors.holdBack(errorSources);
      source.on("data", (chunk: Buffer) => {
        if (!areErrorsRead) errors.append(chunk);
      });
    },
    onControl: controls.listen,
    stop: stopping.signal,
  };

  void (async () => {
    try {
      const { loadDriver } = await import("@skein/agents/drivers");
      const drive = await loadDriver(context.order.driver);
      if (stopping.signal.aborted) end({ exitCode: null, signal: "SIGTERM" });
      else end({ exitCode: await drive(context), signal: null });
    } catch (error) {
      fail(error);
    }
  })();

  return {
    ended: ended.promise,
    control: controls.receive,
    stop: () => stopping.abort(),
    async drainErrors() {
      const closed = errorSources.map((source) => source.closed || new Promise((resolve) => source.once("close", resolve)));
      await Promise.race([Promise.all(closed), wait(drainErrorsMs)]);
      areErrorsRead = true;
      for (const source of errorSources) source.destroy();
    },
    async abandon() {
      release();
      await wait(endPatienceMs);
      end({ exitCode: null, signal: "SIGKILL" });
    },
    fail,
  };
}

/** In its own process group: it is first asked to end by its protocol, and must not get signals meant for others. */
function startMarked(
  { program, args }: { program: string; args: string[] },
  { cwd, env, stdin }: { cwd: string; env: Record<string, string>; stdin: "pipe" | "ignore" },
): ChildProcess {
  return spawn(program, args, { cwd, env, stdio: [stdin, "pipe", "pipe"], detached: true });
}

/** Buffers control messages until a listener is attached. */
function createControls(): { receive(data: string): void; listen: DriverContext["onControl"] } {
  const early: DriverControl[] = [];
  let listener = (control: DriverControl): void => void early.push(control);
  return {
    receive(data) {
      for (const line of data.split("\n")) if (line !== "") listener(JSON.parse(line) as DriverControl);
    },
    listen(next) {
      listener = next;
      for (const control of early.splice(0)) next(control);
    },
  };
}
