import type { NoticeText } from "@skein/contracts";
import type { DriverOrder } from "./driver-order.ts";
import type { DriverRecord } from "./driver-record.ts";

/** Why a program did not start, and what to do. */
export function toStartFailure({ name: agent, command: [program] }: DriverOrder, error: NodeJS.ErrnoException): DriverRecord {
  const reason: NoticeText =
    error.code === "ENOENT"
      ? { code: "program-missing", agent, program }
      : error.code === "EACCES"
        ? { code: "program-not-executable", agent, program }
        : { code: "program-not-started", agent, reason: error.message };
  return { type: "end", status: "failed", reason, code: "agent-not-started" };
}
