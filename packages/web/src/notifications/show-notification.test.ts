import type { SkeinEvent } from "@skein/contracts";
import { describe, expect, it } from "vitest";
import { type Call, isSeen, toCall } from "./show-notification.ts";

const completed = (status: string, endedAt = Date.now()) =>
  ({ type: "execution:completed", taskId: "tsk_1", executionId: "exe_1", status, execution: { status, endedAt } }) as SkeinEvent;
const asked = (status: string) => ({ type: "approval:requested", taskId: "tsk_1", approval: { id: "apr_1", status } }) as SkeinEvent;

const feedback = (clearedAt: number | null) =>
  ({ type: "inbox:changed", taskId: "tsk_1", item: { kind: "feedback", id: "att_1", addedAt: 5, clearedAt } }) as SkeinEvent;

describe("toCall", () => {
  it.each([
    [completed("success"), "done"],
    [completed("failed"), "failed"],
    [completed("interrupted"), "failed"],
    [completed("cancelled"), undefined],
    [completed("success", 1), undefined], // imported
    [asked("pending"), "waiting"],
    [asked("answered"), undefined],
    [feedback(null), "feedback"],
    [feedback(9), undefined],
    [{ type: "inbox:changed", taskId: "tsk_1", item: { kind: "ended", id: "exe_1", clearedAt: null } } as SkeinEvent, undefined],
    [{ type: "execution:started", taskId: "tsk_1" } as SkeinEvent, undefined],
  ])("%j", (event, reason) => expect(toCall(event)?.reason).toBe(reason));

  it("the same feedback, with one more check, takes the place of the first notification", () => {
    expect(toCall(feedback(null))?.tag).toBe("att_1-5");
  });
});

describe("isSeen", () => {
  const waiting: Call = { reason: "waiting", taskId: "tsk_1" as never, tag: "x" };
  it.each([
    [waiting, { path: "/t/tsk_1", isFocused: true }, true],
    [waiting, { path: "/t/tsk_1", isFocused: false }, false],
    [waiting, { path: "/inbox", isFocused: true }, true],
    [{ ...waiting, reason: "done" as const }, { path: "/inbox", isFocused: true }, true],
    [waiting, { path: "/t/tsk_2", isFocused: true }, false],
  ])("%#", (call, place, seen) => expect(isSeen(call, place)).toBe(seen));
});
