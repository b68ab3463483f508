import { describe, expect, it } from "vitest";
import type { KnownTask } from "../live/task-activity.ts";
import { toTaskState } from "./use-task-state.ts";

const task = (activity: object, status = "in-progress") =>
  ({
    status,
    activity: { executing: false, pendingApprovals: 0, queued: 0, agent: "codex", lastEnd: null, totals: { usage: {} }, ...activity },
  }) as KnownTask;

describe("toTaskState", () => {
  it.each([
    [task({}), "idle"],
    [task({ executing: true, runningTool: "Running npm test" }), "running"],
    [task({ executing: true, pendingApprovals: 1 }), "waiting"],
    [task({ lastEnd: { status: "failed" } }), "failed"],
    [task({ lastEnd: { status: "failed" } }, "done"), "idle"],
    [{ status: "todo" } as KnownTask, "idle"],
  ])("%#", (known, state) => expect(toTaskState(known, { hasApproval: false }).state).toBe(state));

  it("an approval that was heard of by itself counts", () => {
    expect(toTaskState(task({ executing: true }), { hasApproval: true }).state).toBe("waiting");
  });
  it("a tool that was left over when the execution ended is not shown", () => {
    expect(toTaskState(task({ runningTool: "Old" }), { hasApproval: false }).tool).toBeNull();
  });
});
