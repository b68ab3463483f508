import type { AttemptId, Terminal, TerminalExit, TerminalId, TerminalSize } from "@skein/contracts";

/** A terminal of an attempt. The id alone does not lead to one of another attempt. */
export interface TerminalPlace {
  attemptId: AttemptId;
  id: TerminalId;
}

/** Where a program runs. `sandbox`: confined like the attempt's agent; rejects where the machine cannot. */
export interface TerminalStart {
  attemptId: AttemptId;
  directory: string;
  sandbox?: { hosts: readonly string[] } | undefined;
}

/** Result of `Terminals.read`. */
export interface TerminalRead {
  /** Offset of the first byte; larger than requested if what was before it is no longer kept. */
  start: number;
  data: Uint8Array;
  /** Offset after the last byte of all output. */
  end: number;
  /** Null while it runs. */
  exit: TerminalExit | null;
}

/** A dev server as its host sees it. */
export interface DevServerState {
  /** The port that is reserved for the attempt; null before its first start. */
  port: number | null;
  /** The last run; null before the first one. */
  run: { id: TerminalId; startedAt: number; exit: TerminalExit | null; wasStopped: boolean } | null;
  /** Whether something accepts connections on the port. */
  isListening: boolean;
}

/**
 * Terminals of attempts, and their dev servers. Each is held by a process of its own that outlives the server: it keeps the end of the
 * output, and the program waits while a reader is behind.
 */
export interface Terminals {
  /** Oldest first, with those that have ended and were not closed. */
  list(input: { attemptId: AttemptId }): Promise<Terminal[]>;
  /**
   * Starts the user's shell as a login shell. Rejects with `terminals-unavailable` if this machine has no pseudo-terminals for Skein, and
   * with `too-many-terminals`.
   */
  open(input: TerminalStart & { size: TerminalSize }): Promise<Terminal>;
  /**
   * Output from an offset. Waits for up to `waitMs` if there is none. `reader` names who reads: the program waits for one that is behind.
   * Rejects with `terminal-not-found`.
   */
  read(input: TerminalPlace & { from: number; waitMs: number; reader: string }): Promise<TerminalRead>;
  /** Types into it. Ignored once it has ended. Rejects with `terminal-not-found`, as the next two. */
  write(input: TerminalPlace & { data: string }): Promise<void>;
  resize(input: TerminalPlace & { size: TerminalSize }): Promise<void>;
  /** Ends it with everything that was started in it, and removes it. */
  close(input: TerminalPlace): Promise<void>;

  /** Starts a dev server, or the same one again. The script comes from a repository that the user trusts; `$SKEIN_PORT` is the port. */
  startDev(input: TerminalStart & { script: string; environment: Readonly<Record<string, string>> }): Promise<void>;
  /** Ends the dev server with everything that it started; its log is kept. */
  stopDev(input: { attemptId: AttemptId }): Promise<void>;
  findDev(input: { attemptId: AttemptId }): Promise<DevServerState>;

  /** Ends everything that runs for an attempt. */
  end(input: { attemptId: AttemptId }): Promise<void>;
  /** The same, and forgets its terminals and its port. */
  remove(input: { attemptId: AttemptId }): Promise<void>;
  /** Attempts that have terminals or a port here. */
  listAttempts(): Promise<AttemptId[]>;
}
