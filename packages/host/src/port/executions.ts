import type { ExecutionId, ExecutionOrigin, QuestionAnswer, RequestPreview, ResourceLimits } from "@skein/contracts";
import type { AgentLaunch, LogLine, PrinterLaunch } from "@skein/engine";
import type { AgentExit } from "../runner/execution-folder.ts";
import type { Preamble } from "../runner/preamble.ts";
import type { ConnectionPeer } from "../runner/process-table.ts";
import type { StoredExecutions } from "./stored-executions.ts";

/** Result of `ExecutionFiles.readLog`. */
export interface LogRead {
  /** Complete lines, about 64 KiB at most; empty if there is nothing new. */
  lines: LogLine[];
  /** Offset of the next unread line, for the next call. */
  next: number;
  /** The log has more: the reader is behind the agent. */
  isBehind: boolean;
}

/** The files that the runner of an execution writes. */
export interface ExecutionFiles {
  /** Reads lines of the log from a byte offset. With `final`, an unterminated last line is returned, too. */
  readLog(input: { id: ExecutionId; from: number; final: boolean }): Promise<LogRead>;
  /** Ends a series of `readLog` calls. The log can be read again later. */
  closeLog(input: { id: ExecutionId }): Promise<void>;
  /** Size of the log in bytes; 0 if there is none. */
  logSize(input: { id: ExecutionId }): Promise<number>;
  /** The end of the agent's stderr; empty if there is none. */
  readErrors(input: { id: ExecutionId }): Promise<string>;
}

/** Paths on the host, for launching an agent. */
export interface ExecutionPaths {
  log: string;
  /** The file that `writeHistory` writes. */
  history: string;
}

/**
 * What `Executions.attach` reports. `connected`: the runner was reached, again after each lost connection, and what it missed can be
 * sent now. `log`: the log has grown. `control-refused`: control lines without the execution's key were rejected. `ended` is the last
 * report; `exit` is null if the agent is gone without a recorded exit.
 */
export type RunnerReport =
  | { type: "connected" }
  | { type: "log" }
  | { type: "control-refused" }
  | { type: "ended"; exit: AgentExit | null };

/**
 * The agents of a host. Each execution has a runner, a separate process that outlives the server: it starts the agent, appends its
 * output to the execution log and forwards input to it.
 */
export interface Executions extends ExecutionFiles, StoredExecutions {
  /** Creates the folder of an execution. */
  prepare(input: { id: ExecutionId }): Promise<ExecutionPaths>;
  /** Records what an execution belongs to, so that its log can be imported into another database. */
  writeOrigin(origin: ExecutionOrigin): Promise<void>;
  /** Writes the history file for an agent that reads its whole history, chunk by chunk. */
  writeHistory(input: { id: ExecutionId; pieces: AsyncIterable<string> }): Promise<void>;
  /** Removes the history file if the agent has not read it. */
  removeHistory(input: { id: ExecutionId }): Promise<void>;
  /**
   * Starts the runner, which starts the agent. Resolves when the runner is reachable. An agent that fails to start ends its execution.
   * `resources`: what its processes may use together; default: no limit.
   */
  launch(input: { id: ExecutionId; launch: AgentLaunch; preamble: Preamble; resources?: ResourceLimits }): Promise<void>;
  /** Resolves after the agent's first output or its exit, at the latest after one second. */
  untilFirstOutput(input: { id: ExecutionId }): Promise<void>;
  /** Whether a runner has claimed the execution, or a server has abandoned it. */
  isClaimed(input: { id: ExecutionId }): Promise<boolean>;
  /** Ends an execution that has no agent. Returns false if a runner has claimed it. */
  abandon(input: { id: ExecutionId; exit: AgentExit }): Promise<boolean>;

  /**
   * Connects to the runner of an execution, reconnects for as long as it lives, and reports what happens until the agent has ended, or
   * until `detach`. An execution has one reader at a time.
   */
  attach(input: { id: ExecutionId }): AsyncIterable<RunnerReport>;
  /** Ends `attach`; the agent keeps running. Never rejects. */
  detach(input: { id: ExecutionId }): Promise<void>;
  /** Writes to the stdin of an attached agent: answers, steering messages, settings. Dropped while the runner is not connected. Never rejects. */
  send(input: { id: ExecutionId; data: string }): Promise<void>;
  /** Ends an attached agent and everything it started: first by SIGTERM, then by SIGKILL. Never rejects. */
  stop(input: { id: ExecutionId }): Promise<void>;
  /** Records that the user requested a stop at this time (epoch ms), for any later server. */
  recordStop(input: { id: ExecutionId; at: number }): Promise<void>;
  /** The time of `recordStop`; null if there is none. */
  findStop(input: { id: ExecutionId }): Promise<number | null>;

  /** Whether the runner of an execution is alive. */
  isRunning(input: { id: ExecutionId }): Promise<boolean>;
  /** Kills the runner only. The next `attach` ends its agent. */
  killRunner(input: { id: ExecutionId }): Promise<void>;
  /** Kills the runner, the agent and everything it started. */
  kill(input: { id: ExecutionId }): Promise<void>;
  /** Processes that carry a mark of one of the executions, or descend from one that does. Scans all processes. */
  findProcesses(input: { ids: readonly ExecutionId[] }): Promise<{ executionId: ExecutionId; pid: number; name: string }[]>;
  /** Executions whose runners left a socket, alive or not. */
  listSockets(): Promise<ExecutionId[]>;
  /** Removes the sockets of runners that are gone. */
  removeSockets(input: { ids: readonly ExecutionId[] }): Promise<void>;
  /** The running execution that a TCP connection to this machine comes from; null for any other process. */
  findPeer(input: { peer: ConnectionPeer; running: readonly ExecutionId[] }): Promise<ExecutionId | null>;

  /**
   * Runs a program that prints the next request of an attempt. `body` is the JSON text of the request.
   * Rejects with a `ServiceError` if the program fails.
   */
  runPreview(launch: PrinterLaunch): Promise<{ preview: RequestPreview; body: Uint8Array }>;
  /** Runs a program that asks a model one question. Never rejects: a failure is the answer's reason. */
  runQuestion(launch: PrinterLaunch): Promise<QuestionAnswer>;
}
