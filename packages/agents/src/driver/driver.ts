import type { DriverControl } from "./driver-control.ts";
import type { DriverOrder } from "./driver-order.ts";
import type { DriverRecord } from "./driver-record.ts";

/** What a driver has besides its agent. */
export interface DriverContext {
  order: DriverOrder;
  /** Appends a whole line to the execution's log: what the agent wrote, or a request that was sent to it. It is never read as a record. */
  log(line: string | Uint8Array): void;
  /** Appends what the driver itself has to say. */
  record(record: DriverRecord): void;
  /** Called for every control line, those that came before too. */
  onControl(listener: (control: DriverControl) => void): void;
  /** Aborted when the person stops the execution: the agent is asked to end, and a few seconds later everything is killed. */
  stop: AbortSignal;
}

/** Resolves with the agent's exit code when the execution is over and its process has ended. */
export type Driver = (context: DriverContext) => Promise<number>;
