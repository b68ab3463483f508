import {
  type AgentOutput,
  type ExecutionEndCode,
  type ExecutionEndStatus,
  executionEndCodeSchema,
  type MessageText,
  type NoticeText,
} from "@skein/contracts";
import type { AgentExit } from "@skein/host";

export interface ObservedEnd {
  /** The agent's own closing record. */
  closing: Extract<AgentOutput, { type: "end" }> | undefined;
  /** Undefined if the runner is gone and no exit was recorded. */
  exit: AgentExit | undefined;
  stopRequested: boolean;
  /** Whether agents of this kind always write a closing record: an execution without one was cut off. */
  closesItself: boolean;
  lastErrorLine: string;
  /** Nothing that it said or did was shown. */
  isSilent: boolean;
  /** It had started to work on its message. */
  hasWorked: boolean;
}

export interface ExecutionEnd {
  status: ExecutionEndStatus;
  /** For the user, if it did not succeed. */
  reason: MessageText | null;
  code: ExecutionEndCode | null;
  /** The agent's own description of a failure, which can be explained and quoted; our own sentences cannot. */
  said?: string;
}

/** How an execution ended, and which actions are possible next. */
export function toExecutionEnd(observed: ObservedEnd): ExecutionEnd {
  const end = observeEnd(observed);
  const limit = executionEndCodeSchema.safeParse(end.status === "interrupted" ? observed.closing?.code : undefined).data;
  return { ...end, code: end.status === "success" ? null : (limit ?? (observed.hasWorked ? null : "not-answered")) };
}

function observeEnd(observed: ObservedEnd): Omit<ExecutionEnd, "code"> {
  const { closing, exit } = observed;
  if (closing?.status === "success")
    return observed.isSilent && !observed.stopRequested ? toSilentEnd(observed) : { status: "success", reason: null };
  if (observed.stopRequested || closing?.status === "cancelled") return { status: "cancelled", reason: { code: "stopped" } };
  if (exit?.overLimit !== undefined && !isClean(observed)) {
    return { status: "interrupted", reason: { code: "ended-by-resource-limit", ...exit.overLimit } };
  }
  if (closing?.status === "interrupted") return { status: "interrupted", reason: closing.reason ?? { code: "not-finished" } };
  if (closing !== undefined) {
    return { status: "failed", reason: closing.reason ?? { code: "agent-failed" }, ...toSaid(closing.reason) };
  }
  if (exit === undefined) {
    return { status: "interrupted", reason: { code: "process-lost" } };
  }
  if (exit.interrupted !== undefined) return { status: "interrupted", reason: exit.interrupted };
  if (exit.notStarted !== undefined) return { status: "failed", reason: exit.notStarted };
  if (exit.startError !== undefined) return { status: "failed", reason: { code: "not-started", reason: exit.startError } };
  if (exit.signal !== null) return { status: "interrupted", reason: { code: "ended-by-signal", signal: exit.signal } };
  if (exit.exitCode !== 0) {
    const reason: NoticeText = { code: "ended-with-exit-code", exitCode: exit.exitCode ?? 1, ...toStderr(observed.lastErrorLine) };
    return { status: "failed", reason, ...toSaid(observed.lastErrorLine) };
  }
  if (observed.closesItself) {
    return { status: "interrupted", reason: { code: "ended-unfinished" } };
  }
  return observed.isSilent ? toSilentEnd(observed) : { status: "success", reason: null };
}

/** It ended by itself, and reported no failure. */
function isClean({ closing, exit, closesItself }: ObservedEnd): boolean {
  return closing === undefined && exit?.exitCode === 0 && !closesItself;
}

/** Some agents report a failed request as a regular end: an execution without output is not a success. */
function toSilentEnd({ lastErrorLine }: ObservedEnd): Omit<ExecutionEnd, "code"> {
  return { status: "failed", reason: { code: "ended-without-answer", ...toStderr(lastErrorLine) }, ...toSaid(lastErrorLine) };
}

/** Only the agent's own words can be explained and quoted. */
function toSaid(said: MessageText | undefined): Pick<ExecutionEnd, "said"> {
  return typeof said === "string" && said !== "" ? { said } : {};
}

function toStderr(line: string): { stderr?: string } {
  return line === "" ? {} : { stderr: line };
}
