import type { NoticeText } from "@skein/contracts";
import type { DriverOrder } from "./driver-order.ts";
import type { DriverRecord } from "./driver-record.ts";

type Program = Pick<DriverOrder, "name" | "command">;

/** The end of an execution whose agent did not start. */
export function toStartFailure(order: Program, error: NodeJS.ErrnoException): DriverRecord {
  return { type: "end", status: "failed", reason: describeStartFailure(order, error), code: "agent-not-started" };
}

/** Why a program did not start, and what to do. */
export function describeStartFailure({ name: agent, command: [program] }: Program, error: NodeJS.ErrnoException): NoticeText {
  switch (error.code) {
    case "ENOENT":
      return { code: "program-missing", agent, program };
    case "EACCES":
      return { code: "program-not-executable", agent, program };
    default:
      return { code: "program-not-started", agent, reason: error.message };
  }
}
