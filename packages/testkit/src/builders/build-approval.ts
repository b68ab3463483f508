import { type Approval, approvalSchema } from "@skein/contracts";
import { testId, testTime } from "./test-id.ts";

/** Pending. */
export function buildApproval(overrides: Partial<Omit<Extract<Approval, { status: "pending" }>, "status">> = {}): Approval {
  return approvalSchema.parse({
    id: testId("apr"),
    taskId: testId("tsk"),
    attemptId: testId("att"),
    executionId: testId("exe"),
    toolUseId: "toolu_1",
    toolName: "Bash",
    input: { command: "rm -r build" },
    reason: null,
    requestedAt: testTime,
    ...overrides,
    status: "pending",
  });
}
