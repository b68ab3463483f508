import type { DriverOrder } from "./driver-order.ts";
import type { DriverRecord } from "./driver-record.ts";

/** One sentence about a program that did not start, with what to do. */
export function toStartFailure({ name, command }: DriverOrder, error: NodeJS.ErrnoException): DriverRecord {
  const [program] = command;
  const reason =
    error.code === "ENOENT"
      ? `${name} could not be started: ${program} is not there any more. Install it again, or correct its command in the settings.`
      : error.code === "EACCES"
        ? `${name} could not be started: ${program} may not be run. Make it executable (chmod +x), or correct its command in the settings.`
        : `${name} could not be started: ${error.message}`;
  return { type: "end", status: "failed", reason, code: "agent-not-started" };
}
