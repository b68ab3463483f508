import { type EndedExecution, executionSchema, type RunningExecution } from "@skein/contracts";
import { testId, testTime } from "./test-id.ts";

const started = { id: testId("exe"), taskId: testId("tsk"), attemptId: testId("att"), number: 1, startedAt: testTime };

export function buildExecution(overrides: Partial<Omit<RunningExecution, "status">> = {}): RunningExecution {
  const execution = executionSchema.parse({ ...started, ...overrides, status: "running" });
  if (execution.status !== "running") throw new Error("built an execution that has ended");
  return execution;
}

export function buildEndedExecution(overrides: Partial<EndedExecution> = {}): EndedExecution {
  const ended = {
    status: "success",
    endedAt: testTime + 5000,
    durationMs: 5000,
    exitCode: 0,
    reason: null,
    code: null,
    usage: { outputTokens: 7 },
  };
  const execution = executionSchema.parse({ ...started, ...ended, ...overrides });
  if (execution.status === "running") throw new Error("built an execution that runs");
  return execution;
}
