import { join } from "node:path";
import type { SandboxOrder } from "@skein/agents/sandbox-order";
import type { TerminalSize } from "@skein/contracts";

/** Files of a terminal, written by its process. Whole files appear by rename. */
export interface TerminalFolder {
  path: string;
  /** `TerminalFacts`; written by the host before the process is started. */
  facts: string;
  /** Identity of the process (`RunnerIdentity`). */
  process: string;
  /** `TerminalExit`, after the program has ended. */
  exit: string;
  /** The end of its output, after the program has ended. */
  output: string;
  /** The user stopped it. */
  stopRequested: string;
}

export function terminalFolder(path: string): TerminalFolder {
  return {
    path,
    facts: join(path, "terminal.json"),
    process: join(path, "process.json"),
    exit: join(path, "exit.json"),
    output: join(path, "output"),
    stopRequested: join(path, "stop-requested"),
  };
}

/** What is known of a terminal from its start. */
export interface TerminalFacts {
  kind: "shell" | "dev";
  number: number;
  startedAt: number;
  sandboxed: boolean;
}

/** Input of the terminal's process, on its stdin: nothing of it is written to disk. */
export interface TerminalOrder {
  id: string;
  folder: string;
  socket: string;
  /** Required in every request. */
  controlKey: string;
  cwd: string;
  environment: Readonly<Record<string, string>>;
  sandbox?: SandboxOrder | undefined;
  /** `shell`: in a pseudo-terminal. `script`: a script of a trusted repository, whose output is only shown. */
  run: { type: "shell"; program: string; args: readonly string[]; size: TerminalSize } | { type: "script"; script: string };
  /** Without output, input and viewers for this long, it ends. */
  idleMs: number;
}
