import { describe, expect, it } from "vitest";
import type { KnownTask } from "../api/task-activity.ts";
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
    [task({ lastEnd: { status: "interrupted" } }), "interrupted"],
    [task({ lastEnd: { status: "success" } }, "in-review"), "finished"],
    [task({ lastEnd: { status: "success" } }, "todo"), "idle"],
    [task({ lastEnd: { status: "cancelled" } }), "idle"],
    [task({ lastEnd: { status: "cancelled" }, queued: 2, queuePaused: true }), "paused"],
    [task({ lastEnd: { status: "failed" }, queued: 2, queuePaused: true }), "failed"],
    [{ status: "todo" } as KnownTask, "idle"],
  ])("%#", (known, state) => expect(toTaskState(known, {}).state).toBe(state));

  it("an approval that arrived alone counts", () => {
    expect(toTaskState(task({ executing: true }), { askedAt: 7 }).state).toBe("waiting");
  });
  it("[E10] each state knows since when: waiting since the question, not since the start", () => {
    const open = [{ startedAt: 5 }, { startedAt: 3 }, { startedAt: null }];
    const ended = { lastEnd: { status: "failed", endedAt: 9 } };
    const sinceOf = (known: KnownTask, askedAt?: number) => toTaskState({ ...known, createdAt: 1 }, { askedAt }).since;
    expect(sinceOf(task({ executing: true, open }), 7)).toBe(7);
    expect(sinceOf(task({ executing: true, pendingApprovals: 1, open })), "the question is not known yet").toBeNull();
    expect(sinceOf(task({ executing: true, open }))).toBe(3);
    expect(sinceOf(task(ended))).toBe(9);
    expect(sinceOf(task({}))).toBe(1);
  });
  it("[T8] the running tool is data; a sentence of an earlier release is shown as it is", () => {
    const toolOf = (runningToolSummary: unknown) => toTaskState(task({ executing: true, runningToolSummary }), {}).tool;
    expect(toolOf(running)).toEqual(running);
    expect(toolOf("Running npm test")).toEqual({ action: "text", subject: "Running npm test", state: "running" });
  });
  it("a tool that was left over when the execution ended is not shown", () => {
    expect(toTaskState(task({ runningToolSummary: running }), {}).tool).toBeNull();
  });
});
