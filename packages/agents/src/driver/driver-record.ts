import type { LogRecord } from "@skein/contracts/log-record";

/** The driver's own records, in the log between the lines of its agent. */
export type DriverRecord = Extract<
  LogRecord,
  { type: "usage-before" | "notice" | "error" | "session" | "user-message" | "approval-withdrawn" | "end" }
>;
