import type { ChildProcess } from "node:child_process";
import type { Readable } from "node:stream";
import type { DriverControl } from "./driver-control.ts";
import type { DriverOrder } from "./driver-order.ts";
import type { DriverRecord } from "./driver-record.ts";

/**
 * What a driver has besides its agent. A driver runs inside the execution's runner: it writes to nothing but this context, reads
 * no variable of the process, and starts programs only by `startProgram`.
 */
export interface DriverContext {
  order: DriverOrder;
  /** The agent's environment. The runner's own is not for agents. */
  environment: Readonly<Record<string, string>>;
  /** Appends a whole line to the execution's log: what the agent wrote, or a request that was sent to it. It is never read as a record. */
  log(line: string | Uint8Array): void;
  /** Appends what the driver itself has to say. */
  record(record: DriverRecord): void;
  /** Pending while the log cannot be written (a full disk): whoever reads from the agent awaits it between two reads. */
  whenWritable(): Promise<void> | undefined;
  /**
   * Starts a program as part of the execution, in a process group of its own: it carries the execution's marks, and ends with it.
   * One that could not be started for want of open files has no streams.
   */
  startProgram(start: ProgramStart): ChildProcess;
  /** Copies a stream to the execution's error file, as fast as that can be written. */
  logErrors(source: Readable): void;
  /** Called for every control line, those that came before too. */
  onControl(listener: (control: DriverControl) => void): void;
  /** Aborted when the user stops the execution: the agent is asked to end, and a few seconds later everything is killed. */
  stop: AbortSignal;
}

export interface ProgramStart {
  program: string;
  args: readonly string[];
  directory: string;
  /** All of it. */
  environment: Readonly<Record<string, string>>;
  /** `ignore`: it reads the end of its input at once. */
  stdin: "pipe" | "ignore";
}

/** Resolves with the agent's exit code when the execution is over and its process has ended. */
export type Driver = (context: DriverContext) => Promise<number>;
