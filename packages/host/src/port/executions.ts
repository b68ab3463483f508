import type { ExecutionId, ExecutionOrigin, RequestPreview } from "@skein/contracts";
import type { AgentLaunch, PreviewLaunch } from "@skein/engine";
import type { AgentExit } from "../runner/execution-folder.ts";
import type { ConnectionPeer } from "../runner/find-peer-execution.ts";
import type { LogReader } from "../runner/log-reader.ts";
import type { Preamble } from "../runner/preamble.ts";

/** What the runner of one execution writes. Nothing is opened before it is asked for. */
export interface ExecutionFiles {
  /** Reads the log from an offset (bytes) on. Lines that arrive later are returned by later reads. */
  openLog(input: { from: number }): LogReader;
  /** Length of the log in bytes; 0 where there is none. */
  logSize(): Promise<number>;
  /** The end of the agent's stderr; empty where there is none. */
  readErrors(): Promise<string>;
}

/** Paths on the host, for the launch of an agent. */
export interface ExecutionPaths {
  log: string;
  /** Where `writeHistory` puts the history. */
  history: string;
}

/** Told of what a runner reports. None of them may throw. */
export interface AgentListeners {
  /** The runner was reached, for the first time or again: what it missed can be sent. */
  onConnect(): void | Promise<void>;
  /** There is more in the log. */
  onLog(): void;
  /** Something without the execution's key tried to control the agent. */
  onRefusedControl(): void;
}

/** The connection to the runner of one execution, made again for as long as the runner lives. */
export interface AgentLink {
  /** How the agent ended. Undefined when it is gone and nobody saw its end, and after `detach`. */
  readonly ended: Promise<AgentExit | undefined>;
  /** Writes to the agent's stdin: answers, messages that steer it, settings. Lost where the runner is not connected. */
  send(data: string): void;
  /** Ends the agent and everything it started; gently at first. */
  stop(): void;
  /** Closes the connection; the agent keeps running. */
  detach(): void;
}

/**
 * The agents of a host. Each execution has a runner, a process of its own that outlives the server: it starts the agent, appends what
 * it prints to the execution's log and takes what is sent to it.
 */
export interface Executions {
  /** What the runner of an execution writes. */
  files(id: ExecutionId): ExecutionFiles;

  /** Makes the folder of an execution. */
  prepare(input: { id: ExecutionId }): Promise<ExecutionPaths>;
  /** Records what an execution belongs to, so that its log can be read into another database. */
  writeOrigin(origin: ExecutionOrigin): Promise<void>;
  /** Writes the history for an agent that reads all of it from a file, piece by piece. */
  writeHistory(input: { id: ExecutionId; pieces: AsyncIterable<string> }): Promise<void>;
  /** Removes a history that its agent has not read. */
  removeHistory(input: { id: ExecutionId }): Promise<void>;
  /** Starts the runner with the agent in it. Resolves when it can be reached; an agent that cannot start ends its execution. */
  launch(input: { id: ExecutionId; launch: AgentLaunch; preamble: Preamble }): Promise<void>;
  /** Resolves when the agent has printed something or has ended, after a second at the latest. */
  untilAgentSpeaks(input: { id: ExecutionId }): Promise<void>;
  /** Whether a runner was started for it, or somebody has given it up. */
  isClaimed(input: { id: ExecutionId }): Promise<boolean>;
  /** Ends an execution without an agent. False when a runner holds its claim. */
  giveUp(input: { id: ExecutionId; exit: AgentExit }): Promise<boolean>;

  /** Connects to the runner of an execution, and reports its end. */
  attach(input: { id: ExecutionId } & AgentListeners): AgentLink;
  /** Whether the runner of an execution is alive. */
  isRunning(input: { id: ExecutionId }): Promise<boolean>;
  /** Kills the runner. Its agent is ended by the next `attach`. */
  killRunner(input: { id: ExecutionId }): Promise<void>;
  /** Kills the runner, the agent and all that it started. */
  kill(input: { id: ExecutionId }): Promise<void>;
  /** Which of the running executions a TCP connection to this machine comes from; undefined for every other program. */
  findPeer(input: { peer: ConnectionPeer; running: readonly ExecutionId[] }): Promise<ExecutionId | undefined>;

  /**
   * Runs a program that prints what the next request of an attempt would be. `body` is the JSON text of the request.
   * Rejects with a `ServiceError` when it prints none.
   */
  runPreview(launch: PreviewLaunch): Promise<{ preview: RequestPreview; body: Uint8Array }>;
}
