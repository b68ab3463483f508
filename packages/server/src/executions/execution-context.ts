import type { Attempt, RunningExecution } from "@skein/contracts";
import type { AgentAdapter, PresentTool, Storage } from "@skein/engine";
import type { ExecutionFiles, Host } from "@skein/host";
import type { EventHub } from "../events/event-hub.ts";
import type { Logger } from "../logger.ts";

/** What everything about executions shares. */
export interface ExecutionContext {
  storage: Storage;
  hub: EventHub;
  logger: Logger;
  now(): number;
  /** What shows tools, asked for at the start of each execution; left out, the shipped processors do. */
  loadPresentTool?(): Promise<PresentTool>;
  /** Where the attempts' own folders are. Left out, changes that an agent makes in another one's are not noticed. */
  worktreeRoot?: string;
}

/** The same for what starts and stops agents and touches the folders that they work in. */
export interface HostedContext extends ExecutionContext {
  host: Host;
}

/** A running execution, its attempt and agent, and what its runner writes. */
export interface FollowedExecution {
  execution: RunningExecution;
  attempt: Attempt;
  adapter: AgentAdapter;
  files: ExecutionFiles;
}
