import { closeSync, mkdirSync, openSync, renameSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { MessageText } from "@skein/contracts";
import type { Preamble } from "./preamble.ts";

/*
 * What lies in an execution's folder. The runner writes it and the server reads it, and each may die at any moment:
 * whole files appear by rename, the log only grows, and the claim says who decides about this execution.
 */

export interface ExecutionFolder {
  path: string;
  /** Records of Skein and the agent's stdout (see `@skein/contracts/record-frame`). */
  log: string;
  /** 16 bytes per chunk of the log: its offset (u64 LE), when it arrived (f64 LE, epoch ms). */
  times: string;
  stderr: string;
  /** Created exclusively: by the runner before it starts the agent, or by a server that gives the execution up. */
  claim: string;
  runner: string;
  exit: string;
  /** A person asked for a stop: what ends after this was cancelled, whichever server sees it end. */
  stopRequested: string;
  /** What the execution belongs to (`ExecutionOrigin`): with it, the log can be read into another database. */
  origin: string;
  /** What was said before, for an agent that reads all of it; the agent removes it. */
  history: string;
  /** The user deleted the execution: what is left of it may go. */
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

/** Who the runner is: a pid alone may have been given to another process since. */
export interface RunnerIdentity {
  pid: number;
  /** Start time of the process in the kernel's own unit, where the system tells it. */
  startTime: string | null;
  bootId: string | null;
  socket: string;
  /** The folder of the execution's cgroup, where it has one. */
  cgroup?: string | undefined;
}

export interface AgentExit {
  exitCode: number | null;
  signal: string | null;
  endedAt: number;
  /** Why the program could not be started. */
  startError?: string;
  /** Why it was not to be started: one sentence for the person. */
  notStarted?: MessageText;
  /** Why a server gave it up before anything was started: one sentence for the user. */
  interrupted?: MessageText;
  /** A stop had reached the runner before. */
  wasStopped?: true;
  /** Something without the key tried to control the agent. */
  refusedControl?: true;
}

/** The runner's input, on its stdin: environment, prompts and the key are never written to disk for it. */
export type RunnerOrder = ProgramRunnerOrder | DriverRunnerOrder;

export interface ProgramRunnerOrder extends CommonRunnerOrder {
  program: string;
  args: readonly string[];
  stdin: string;
}

export interface DriverRunnerOrder extends CommonRunnerOrder {
  /** JSON for the driver that the runner loads. */
  driverOrder: string;
}

interface CommonRunnerOrder {
  executionId: string;
  folder: string;
  socket: string;
  /** What a control line must carry. The agent is not given it, so a program that merely finds the socket controls nothing. */
  controlKey: string;
  cwd: string;
  /** The agent's. The runner's own is another one. */
  environment: Readonly<Record<string, string>>;
  preamble: Preamble;
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

/** True for the one caller that made the claim. */
export function claimExecution(folder: ExecutionFolder, by: string): boolean {
  try {
    const claim = openSync(folder.claim, "wx", 0o600);
    try {
      writeSync(claim, by);
    } catch {
      // on a full disk: that the file is there is the claim, its content is for those who look for a reason
    }
    closeSync(claim);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}
