import type { TaskActivity } from "@skein/contracts";
import { describe, expect, it } from "vitest";
import { type KnownAttempt, toAttemptFacts } from "./attempt-facts.ts";

const attempt = { id: "att_1", lastEnd: { status: "failed" }, totals: { executions: 2 } } as KnownAttempt;
const activity = (executionId: string | null, approvals: string[] = []) =>
  ({ open: [{ attemptId: "att_1", executionId, approvals }] }) as unknown as TaskActivity;

describe("toAttemptFacts", () => {
  it("current activity comes before how the last execution ended", () => {
    expect(toAttemptFacts(attempt, activity("exe_1")).state).toBe("running");
    expect(toAttemptFacts(attempt, activity("exe_1", ["apr_1"])).state).toBe("waiting");
    const held = { open: [{ attemptId: "att_1", executionId: "exe_1", approvals: [], wait: { for: "limit", since: 1, position: 1 } }] };
    expect(toAttemptFacts(attempt, held as unknown as TaskActivity).state).toBe("held");
    expect(toAttemptFacts(attempt, activity(null)).state).toBe("failed");
    expect(toAttemptFacts(attempt, undefined)).toMatchObject({ state: "failed", totals: { executions: 2 } });
  });
  it("one that never ran is new", () => {
    expect(toAttemptFacts({ id: "att_2" } as KnownAttempt, activity("exe_1"))).toEqual({ state: "new", totals: null });
  });
});
