import type { DriverOrder } from "./driver-order.ts";
import type { DriverRecord } from "./driver-record.ts";

type Program = Pick<DriverOrder, "name" | "command">;

/** The end of an execution whose agent did not start. */
export function toStartFailure(order: Program, error: NodeJS.ErrnoException): DriverRecord {
  return { type: "end", status: "failed", reason: describeStartFailure(order, error), code: "agent-not-started" };
}

/** One sentence about a program that did not start, with what to do. */
export function describeStartFailure({ name, command: [program] }: Program, error: NodeJS.ErrnoException): string {
  switch (error.code) {
    case "ENOENT":
      return `${name} could not be started: ${program} is not there any more. Install it again, or correct its command in the settings.`;
    case "EACCES":
      return `${name} could not be started: ${program} may not be run. Make it executable (chmod +x), or correct its command in the settings.`;
    default:
      return `${name} could not be started: ${error.message}`;
  }
}
