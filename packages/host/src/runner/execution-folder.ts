import { closeSync, mkdirSync, openSync, renameSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { SandboxOrder } from "@skein/agents/sandbox-order";
import type { ExceededResource, MessageText } from "@skein/contracts";
import type { Preamble } from "./preamble.ts";
import type { RunnerLimits } from "./resource-watch.ts";

/*
 * Files in an execution's folder. The runner writes them and the server reads them, and each may die at any moment: whole files appear
 * by rename, the log only grows, and the claim decides who owns the execution.
 */

export interface ExecutionFolder {
  path: string;
  /** Skein's records and the agent's stdout (see `@skein/contracts/record-frame`). */
  log: string;
  /** 16 bytes per chunk of the log: its offset (u64 LE) and arrival time (f64 LE, epoch ms). */
  times: string;
  stderr: string;
  /** Created exclusively: by the runner before it starts the agent, or by a server that gives up the execution. */
  claim: string;
  runner: string;
  exit: string;
  /** The user requested a stop: an end after this is a cancellation, whichever server sees it. */
  stopRequested: string;
  /** What the execution belongs to (`ExecutionOrigin`), so that its log can be imported into another database. */
  origin: string;
  /** Conversation history, for an agent that reads all of it; the agent deletes the file. */
  history: string;
  /** The user deleted the execution: its files may be removed. */
  deleted: string;
  runnerErrors: string;
}

export function executionFolder(path: string): ExecutionFolder {
  return {
    path,
    log: join(path, "out.log"),
    times: join(path, "out.times"),
    stderr: join(path, "err.log"),
    claim: join(path, "claim"),
    runner: join(path, "runner.json"),
    exit: join(path, "exit.json"),
    stopRequested: join(path, "stop-requested"),
    origin: join(path, "origin.json"),
    history: join(path, "history.jsonl"),
    deleted: join(path, "deleted"),
    runnerErrors: join(path, "runner.err"),
  };
}

/** Identity of the runner's process. A pid alone may have been reused. */
export interface RunnerIdentity {
  pid: number;
  /** Start time of the process in kernel units, if the system reports it. */
  startTime: string | null;
  bootId: string | null;
  socket: string;
  /** The folder of the execution's cgroup, if it has one. */
  cgroup?: string | undefined;
}

/** How the program of an execution ended, or why it was not started. */
export interface AgentExit {
  exitCode: number | null;
  signal: string | null;
  endedAt: number;
  /** Why the program could not be started. */
  startError?: string;
  /** Why it was deliberately not started: one sentence for the user. */
  notStarted?: MessageText;
  /** Why a server abandoned it before anything started: one sentence for the user. */
  interrupted?: MessageText;
  /** The runner had received a stop. */
  wasStopped?: true;
  /** A limit of this execution was exceeded right before the end, and programs were ended because of it. */
  overLimit?: ExceededResource;
  /** Control lines without the key were rejected. */
  refusedControl?: true;
}

/** The runner's input, on its stdin: environment, prompts and key are not written to disk. */
export type RunnerOrder = ProgramRunnerOrder | DriverRunnerOrder;

export interface ProgramRunnerOrder extends CommonRunnerOrder {
  program: string;
  args: readonly string[];
  stdin: string;
}

export interface DriverRunnerOrder extends CommonRunnerOrder {
  /** JSON for the driver, which the runner loads. */
  driverOrder: string;
}

interface CommonRunnerOrder {
  executionId: string;
  folder: string;
  socket: string;
  /** Required in every control line. The agent does not get it, so a program that merely finds the socket controls nothing. */
  controlKey: string;
  cwd: string;
  /** The agent's environment, which differs from the runner's. */
  environment: Readonly<Record<string, string>>;
  /** `program`: for every program that the driver starts. `commands`: passed on to the agent, which applies it. */
  sandbox?: SandboxOrder & { scope: "program" | "commands" };
  preamble: Preamble;
  /** Default: none. */
  limits?: RunnerLimits;
}

export function writeWhole(file: string, value: unknown): void {
  const temporary = `${file}.tmp`;
  writeFileSync(temporary, JSON.stringify(value), { mode: 0o600 });
  renameSync(temporary, file);
}

export function createExecutionFolder(path: string): ExecutionFolder {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  return executionFolder(path);
}

/** Returns true for the one caller that created the claim. */
export function claimExecution(folder: ExecutionFolder, by: string): boolean {
  try {
    const claim = openSync(folder.claim, "wx", 0o600);
    try {
      writeSync(claim, by);
    } catch {
      // on a full disk the existence of the file is the claim; its content is only diagnostic
    }
    closeSync(claim);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}
