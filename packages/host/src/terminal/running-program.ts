import type { TerminalSize } from "@skein/contracts";

/** The program of a terminal. */
export interface RunningProgram {
  /** Resolves when it has ended and its output is complete. Never rejects. */
  readonly ended: Promise<{ exitCode: number | null; signal: string | null; startError?: string }>;
  write(data: string): void;
  resize(size: TerminalSize): void;
  pause(): void;
  resume(): void;
  /** Ends it and what it started. */
  close(): Promise<void>;
}
