import type { Executions } from "./executions.ts";
import type { Workspaces } from "./workspaces.ts";

/**
 * The machine where attempts live: their folders and the processes of their agents. Services access git, files of attempts and
 * processes only through this port.
 */
export interface Host {
  readonly workspaces: Workspaces;
  readonly executions: Executions;
}
