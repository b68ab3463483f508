import type { SkeinEvent, TaskActivity } from "@skein/contracts";
import { describe, expect, it } from "vitest";
import { applyToKnownTask, changesActivity, type KnownTask, recentActivity } from "./task-activity.ts";

const activity = {
  ...{ seq: 5, attemptId: "att_1", agent: "native", executing: true, pendingApprovals: 0, queued: 0, queuePaused: false, lastEnd: null },
  open: [{ attemptId: "att_1", executionId: "exe_1", startedAt: 1, tools: [], approvals: [], queued: 0, queuePaused: false }],
  pullRequests: [],
  totals: { executions: 0, durationMs: 0, usage: {} },
} as unknown as TaskActivity;
const task = { id: "tsk_1", activity } as KnownTask;
const of = { taskId: "tsk_1", attemptId: "att_1" };
const summary = { action: "run", subject: "npm test", state: "running" };
const tool = (state: string, output = "") =>
  ({
    type: "message:added",
    ...of,
    message: { id: "m", messageType: "tool_execution", content: "Running npm test", metadata: { state, summary, output } },
  }) as unknown as SkeinEvent;

describe("the activity of a task", () => {
  it("is the running tool, and stays the same object while only its output grows", () => {
    const running = applyToKnownTask(task, { event: tool("running") });
    expect(running?.activity).toMatchObject({ runningTool: "Running npm test", runningToolSummary: summary });
    expect(running && applyToKnownTask(running, { seq: 6, event: tool("running", "more") })).toBe(running);
    expect(running && applyToKnownTask(running, { seq: 7, event: tool("completed") })?.activity?.runningTool).toBeUndefined();
  });

  it("a list gets the events that arrived while it was loaded, and none twice", () => {
    recentActivity.clear();
    const queue = (length: number) =>
      ({ type: "queue:changed", ...of, queue: Array.from({ length }), queuePause: null }) as unknown as SkeinEvent;
    recentActivity.add({ seq: 4, event: queue(9) });
    recentActivity.add({ seq: 6, event: queue(2) });
    expect(recentActivity.applyTo([task])[0]?.activity).toMatchObject({ queued: 2, seq: 6 });
  });

  it("[G7] a card shows the state of a pull request as it changes", () => {
    const pullRequest = { attemptId: "att_1", number: 7, state: "merged" };
    const event = { type: "pull-request:changed", ...of, pullRequest } as unknown as SkeinEvent;
    expect(changesActivity({ event })).toBe(true);
    expect(applyToKnownTask(task, { seq: 6, event })?.activity?.pullRequests).toEqual([pullRequest]);
  });

  it("growing text does not change a list", () => {
    expect(changesActivity({ event: { type: "message:added", message: { messageType: "text" } } as unknown as SkeinEvent })).toBe(false);
  });
});
