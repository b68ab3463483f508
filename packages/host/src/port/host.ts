import type { Workspaces } from "./workspaces.ts";

/** The machine where attempts live: their folders, and the processes of their agents. */
export interface Host {
  readonly workspaces: Workspaces;
}
