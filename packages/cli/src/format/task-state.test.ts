import { type TaskSummary, taskSummarySchema } from "@skein/contracts";
import { buildTask } from "@skein/testkit/builders";
import { describe, expect, it } from "vitest";
import { formatAge } from "./age.ts";
import { toTaskState } from "./task-state.ts";

const open = { attemptId: "att_1", executionId: "exe_1", startedAt: 50, tools: [], approvals: [], queued: 0, queuePaused: false };

function summary(status: string, activity: object): TaskSummary {
  return taskSummarySchema.parse({
    ...buildTask({ createdAt: 1, updatedAt: 10 }),
    status,
    activity: {
      ...{
        seq: 1,
        attemptId: null,
        agent: null,
        attempts: 1,
        executing: false,
        pendingApprovals: 0,
        queued: 0,
        queuePaused: false,
        open: [],
        pullRequests: [],
      },
      ...{ lastEnd: null, totals: { executions: 0, durationMs: 0, usage: {} } },
      ...activity,
    },
  });
}
const reached = { scope: "task", measure: "tokens", spent: 2, limit: 1, more: 1, isPartial: false };
const budgetWait = { for: "budget", since: 70, reached, isPaused: true };
const limit = { code: "plan-limit", resetsAt: null, scope: null };
const parkedWait = { for: "provider", since: 80, limit, resumesAt: 90, isAutomatic: true, rejections: 1 };
const ended = (status: string) => ({ lastEnd: { executionId: "exe_1", status, endedAt: 90 } });

describe("toTaskState", () => {
  it.each([
    ["todo", {}, "to do", 10],
    ["in-progress", { executing: true, open: [open] }, "running", 50],
    ["in-progress", { executing: true, queued: 2, open: [open] }, "running, 2 queued", 50],
    [
      "in-progress",
      { executing: true, open: [{ ...open, executionId: "exe_1", wait: { for: "limit", since: 60, position: 1 } }] },
      "waiting to start",
      60,
    ],
    ["in-progress", { executing: true, pendingApprovals: 1, open: [open] }, "waiting for you", 50],
    ["in-progress", { executing: true, open: [{ ...open, executionId: "exe_1", wait: budgetWait }] }, "waiting for you", 70],
    ["in-progress", { executing: true, open: [{ ...open, executionId: "exe_1", wait: parkedWait }] }, "parked", 80],
    ["in-review", ended("success"), "in review", 90],
    ["in-review", ended("failed"), "failed", 90],
    ["in-progress", { ...ended("cancelled"), queued: 2, queuePaused: true }, "stopped, queue paused (2)", 90],
    ["in-progress", { ...ended("success"), queued: 1, queuePaused: true }, "in progress, queue paused (1)", 90],
    ["done", ended("failed"), "done", 90],
  ])("%s %o is “%s”", (status, activity, text, since) => {
    expect(toTaskState(summary(status, activity))).toEqual({ text, since });
  });
});

it.each([
  [0, "now"],
  [59_000, "now"],
  [61_000, "1 min"],
  [3 * 3_600_000 + 1, "3 h"],
  [40 * 86_400_000, "1 mo"],
])("%i ms ago is “%s”", (ms, text) => {
  expect(formatAge(ms)).toBe(text);
});
