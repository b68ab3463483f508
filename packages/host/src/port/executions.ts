import type { ExecutionId, ExecutionOrigin, RequestPreview } from "@skein/contracts";
import type { AgentLaunch, PreviewLaunch } from "@skein/engine";
import type { AgentExit } from "../runner/execution-folder.ts";
import type { ConnectionPeer } from "../runner/find-peer-execution.ts";
import type { LogReader } from "../runner/log-reader.ts";
import type { Preamble } from "../runner/preamble.ts";

/** The files that the runner of one execution writes. They are opened on first use. */
export interface ExecutionFiles {
  /** Opens the log at a byte offset. Lines that arrive later are returned by later reads. */
  openLog(input: { from: number }): LogReader;
  /** Size of the log in bytes; 0 if there is none. */
  logSize(): Promise<number>;
  /** The end of the agent's stderr; empty if there is none. */
  readErrors(): Promise<string>;
}

/** Paths on the host, for launching an agent. */
export interface ExecutionPaths {
  log: string;
  /** The file that `writeHistory` writes. */
  history: string;
}

/** Callbacks for what a runner reports. They must not throw. */
export interface AgentListeners {
  /** Connected or reconnected to the runner: what it missed can be sent now. */
  onConnect(): void | Promise<void>;
  /** The log has grown. */
  onLog(): void;
  /** Control lines without the execution's key were rejected. */
  onRefusedControl(): void;
}

/** The connection to the runner of one execution. Reconnects for as long as the runner lives. */
export interface AgentLink {
  /** How the agent ended. Undefined if it is gone without a recorded exit, and after `detach`. */
  readonly ended: Promise<AgentExit | undefined>;
  /** Writes to the agent's stdin: answers, steering messages, settings. Dropped while the runner is not connected. */
  send(data: string): void;
  /** Ends the agent and everything it started: first by SIGTERM, then by SIGKILL. */
  stop(): void;
  /** Closes the connection; the agent keeps running. */
  detach(): void;
}

/**
 * The agents of a host. Each execution has a runner, a separate process that outlives the server: it starts the agent, appends its
 * output to the execution log and forwards input to it.
 */
export interface Executions {
  /** The files that the runner of an execution writes. */
  files(id: ExecutionId): ExecutionFiles;

  /** Creates the folder of an execution. */
  prepare(input: { id: ExecutionId }): Promise<ExecutionPaths>;
  /** Records what an execution belongs to, so that its log can be imported into another database. */
  writeOrigin(origin: ExecutionOrigin): Promise<void>;
  /** Writes the history file for an agent that reads its whole history, chunk by chunk. */
  writeHistory(input: { id: ExecutionId; pieces: AsyncIterable<string> }): Promise<void>;
  /** Removes the history file if the agent has not read it. */
  removeHistory(input: { id: ExecutionId }): Promise<void>;
  /** Starts the runner, which starts the agent. Resolves when the runner is reachable. An agent that fails to start ends its execution. */
  launch(input: { id: ExecutionId; launch: AgentLaunch; preamble: Preamble }): Promise<void>;
  /** Resolves after the agent's first output or its exit, at the latest after one second. */
  untilFirstOutput(input: { id: ExecutionId }): Promise<void>;
  /** Whether a runner has claimed the execution, or a server gave it up. */
  isClaimed(input: { id: ExecutionId }): Promise<boolean>;
  /** Ends an execution that has no agent. Returns false if a runner has claimed it. */
  abandon(input: { id: ExecutionId; exit: AgentExit }): Promise<boolean>;

  /** Connects to the runner of an execution and reports its end. */
  attach(input: { id: ExecutionId } & AgentListeners): AgentLink;
  /** Whether the runner of an execution is alive. */
  isRunning(input: { id: ExecutionId }): Promise<boolean>;
  /** Kills the runner only. The next `attach` ends its agent. */
  killRunner(input: { id: ExecutionId }): Promise<void>;
  /** Kills the runner, the agent and everything it started. */
  kill(input: { id: ExecutionId }): Promise<void>;
  /** The running execution that a TCP connection to this machine comes from; undefined for any other process. */
  findPeer(input: { peer: ConnectionPeer; running: readonly ExecutionId[] }): Promise<ExecutionId | undefined>;

  /**
   * Runs a program that prints the next request of an attempt. `body` is the JSON text of the request.
   * Rejects with a `ServiceError` if the program fails.
   */
  runPreview(launch: PreviewLaunch): Promise<{ preview: RequestPreview; body: Uint8Array }>;
}
