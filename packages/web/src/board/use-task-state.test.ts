import { describe, expect, it } from "vitest";
import type { KnownTask } from "../live/task-activity.ts";
import { toTaskState } from "./use-task-state.ts";

const task = (activity: object, status = "in-progress") =>
  ({
    status,
    activity: { executing: false, pendingApprovals: 0, queued: 0, agent: "codex", lastEnd: null, totals: { usage: {} }, ...activity },
  }) as KnownTask;

const running = { action: "run", subject: "npm test", state: "running" };

describe("toTaskState", () => {
  it.each([
    [task({}), "idle"],
    [task({ executing: true, runningToolSummary: running }), "running"],
    [task({ executing: true, pendingApprovals: 1 }), "waiting"],
    [task({ lastEnd: { status: "failed" } }), "failed"],
    [task({ lastEnd: { status: "failed" } }, "done"), "idle"],
    [{ status: "todo" } as KnownTask, "idle"],
  ])("%#", (known, state) => expect(toTaskState(known, { hasApproval: false }).state).toBe(state));

  it("an approval that was heard of by itself counts", () => {
    expect(toTaskState(task({ executing: true }), { hasApproval: true }).state).toBe("waiting");
  });
  it("[T8] the running tool is data, also where a message of an earlier release has a sentence alone", () => {
    const toolOf = (runningToolSummary: unknown) => toTaskState(task({ executing: true, runningToolSummary }), { hasApproval: false }).tool;
    expect(toolOf(running)).toEqual(running);
    expect(toolOf("Running npm test")).toEqual(running);
  });
  it("a tool that was left over when the execution ended is not shown", () => {
    expect(toTaskState(task({ runningToolSummary: running }), { hasApproval: false }).tool).toBeNull();
  });
});
