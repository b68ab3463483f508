import type { Executions } from "./executions.ts";
import type { Workspaces } from "./workspaces.ts";

/**
 * The machine where attempts live: their folders, and the processes of their agents. Services reach git, the files of attempts and
 * processes only through it.
 */
export interface Host {
  readonly workspaces: Workspaces;
  readonly executions: Executions;
}
