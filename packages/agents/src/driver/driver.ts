import type { ChildProcess } from "node:child_process";
import type { Readable } from "node:stream";
import type { DriverControl } from "./driver-control.ts";
import type { DriverOrder } from "./driver-order.ts";
import type { DriverRecord } from "./driver-record.ts";

/**
 * The environment of a driver. A driver runs inside the execution's runner: it writes only to this context, reads no variable of the
 * process, and starts programs only by `startProgram`.
 */
export interface DriverContext {
  order: DriverOrder;
  /** The agent's environment. The runner's own is not passed to agents. */
  environment: Readonly<Record<string, string>>;
  /** Appends a line to the execution's log: the agent's output, or a request that was sent to it. It is never read as a record. */
  log(line: string | Uint8Array): void;
  /** Appends a record of the driver. */
  record(record: DriverRecord): void;
  /** Pending while the log cannot be written (full disk): await it between two reads from the agent. */
  whenWritable(): Promise<void> | undefined;
  /**
   * Starts a program as part of the execution, in its own process group: it carries the execution's marks and ends with it. A program
   * that could not be started for lack of file descriptors has no streams.
   */
  startProgram(start: ProgramStart): ChildProcess;
  /** Copies a stream to the execution's error file, as fast as that can be written. */
  logErrors(source: Readable): void;
  /** Called for every control line, including earlier ones. */
  onControl(listener: (control: DriverControl) => void): void;
  /** Aborted when the user stops the execution: the agent is asked to end, and everything is killed a few seconds later. */
  stop: AbortSignal;
}

/** How to start a program of an execution. */
export interface ProgramStart {
  program: string;
  args: readonly string[];
  directory: string;
  /** The complete environment. */
  environment: Readonly<Record<string, string>>;
  /** `ignore`: its stdin is empty. */
  stdin: "pipe" | "ignore";
}

/** Resolves with the agent's exit code when the execution is over and its process has exited. */
export type Driver = (context: DriverContext) => Promise<number>;
