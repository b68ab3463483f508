import type { HostAgents } from "./agents.ts";
import type { Executions } from "./executions.ts";
import type { Terminals } from "./terminals.ts";
import type { Transfers } from "./transfers.ts";
import type { Workspaces } from "./workspaces.ts";

/**
 * The machine where attempts live: their folders and the processes of their agents. Services access git, files of attempts and
 * processes only through this port.
 *
 * Arguments and results are plain data (JSON values and bytes), or async iterables of plain data, so that a host on another machine can
 * implement the same interface over a connection. Failures that the user can fix reject with a `ServiceError`.
 */
export interface Host {
  readonly workspaces: Workspaces;
  readonly executions: Executions;
  readonly agents: HostAgents;
  readonly transfers: Transfers;
  readonly terminals: Terminals;
  /** Variables that agents and scripts inherit (X11). */
  readonly environment: Readonly<Record<string, string>>;
  /** How many agents should be started at the same time, at most. */
  readonly startsAtOnce: number;
  /** Sizes on disk of everything that attempts leave on the host. A worktree may have a hundred thousand files: call it on request only. */
  measure(): Promise<HostUse>;
}

/** Result of `Host.measure`, in bytes. */
export interface HostUse {
  /** By execution id. */
  executionLogs: Readonly<Record<string, number>>;
  /** By execution id. */
  outputs: Readonly<Record<string, number>>;
  /** By name of the folder. */
  worktrees: Readonly<Record<string, number>>;
  /** Worktrees that `Workspaces.emptyTrash` has not deleted yet. */
  trash: number;
  quarantine: number;
  /** Home folders of sandboxes, by attempt id. */
  sandboxHomes: Readonly<Record<string, number>>;
}
