import type { Attempt, RunningExecution } from "@skein/contracts";
import type { AgentAdapter, PresentTool, Storage } from "@skein/engine";
import type { ExecutionFiles, Host } from "@skein/host";
import type { EventHub } from "../events/event-hub.ts";
import type { Logger } from "../logger.ts";
import type { ExecutionWatcher } from "./execution-watcher.ts";

/** Dependencies of everything about executions. */
export interface ExecutionContext {
  storage: Storage;
  hub: EventHub;
  logger: Logger;
  now(): number;
  /** Only with telemetry. */
  watcher?: ExecutionWatcher | undefined;
  /** Loads the tool processors, at the start of each execution. Default: the shipped ones. */
  loadPresentTool?(): Promise<PresentTool>;
  /** Without it, nothing is known about the files that an agent names: see `ForeignFolders` and `Approval.overwrites`. */
  host?: Host;
}

/** Dependencies of what starts and stops agents or accesses their folders. */
export interface HostedContext extends ExecutionContext {
  host: Host;
}

/** A running execution with its attempt, its agent and the files of runners. */
export interface FollowedExecution {
  execution: RunningExecution;
  attempt: Attempt;
  adapter: AgentAdapter;
  files: ExecutionFiles;
}
