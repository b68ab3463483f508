import { readdir } from "node:fs/promises";
import { join } from "node:path";

/** Folders of the data dir that belong to the host. The server's own data (database, settings, token) is next to them. */
export interface DataFolders {
  home: string;
  /** Worktrees of attempts, with the trash. */
  worktrees: string;
  /** Our git dirs. */
  git: string;
  /** A folder per execution, written by its runner. */
  executions: string;
  /** A folder per execution, for outputs that are too long to show. */
  outputs: string;
  quarantine: string;
  /** A mark for each worktree that has been set up. */
  setups: string;
  /** A note for each attempt whose folder was made before it was saved. */
  creations: string;
  /** Sockets of runners. */
  sockets: string;
  /** A home folder per attempt that runs in a sandbox. */
  homes: string;
  /** A folder per attempt, with a folder per terminal, and the reserved ports. */
  terminals: string;
}

export function toDataFolders(home: string): DataFolders {
  return {
    home,
    worktrees: join(home, "worktrees"),
    git: join(home, "git"),
    executions: join(home, "executions"),
    outputs: join(home, "spill"),
    quarantine: join(home, "quarantine"),
    setups: join(home, "setups"),
    creations: join(home, "creations"),
    sockets: join(home, "run"),
    homes: join(home, "homes"),
    terminals: join(home, "terminals"),
  };
}

/** Names in a folder; empty if it does not exist. */
export function listNames(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}
