import { describe, expect, it } from "vitest";
import { delta, executionId, messageEnd, record, retry } from "./outputs.fixture.ts";

const notice = (content: string, revision: number) => ({
  id: "msg_a-retry",
  role: "system",
  messageType: "notice",
  content,
  timestamp: 1700,
  revision,
  metadata: { executionId, code: "retry" },
});

describe("a retry that waits", () => {
  it("[N2][T2] shows one notice that grows with every retry and is settled when the new stream speaks", () => {
    const run = record();
    run.play(retry("msg_a", { delayMs: 1000, reason: "busy" }));
    expect(run.shown()).toEqual([notice("busy\nTrying again in 1 s (retry 1).", 1)]);
    run.play(retry("msg_a", { delayMs: 2000, attempt: 2, reason: "still busy", at: 2700 }));
    expect(run.shown()).toEqual([notice("still busy\nTrying again in 2 s (retry 2).", 2)]);
    run.play(delta("msg_a", 0, "hello"), delta("msg_a", 0, " you"), messageEnd("msg_a"));
    expect(run.shown()[0]).toEqual(notice("still busy\nIt went on after 2 retries.", 3));
  });

  it("[T5] is settled when its execution ends without another word", () => {
    const run = record();
    run.play(retry("msg_a", { delayMs: 300 }));
    run.keep(run.processor.settle({ at: 5000, reason: "" }));
    expect(run.shown()).toEqual([notice("overloaded\nIt did not go on after one retry.", 2)]);
  });

  it("another message's words do not settle it, and a retry without a wait shows nothing", () => {
    const run = record();
    run.play(retry("msg_a", { delayMs: 300 }), delta("msg_b", 0, "x"), retry("msg_b"));
    expect(run.shown().filter((message) => message.messageType === "notice")).toEqual([
      notice("overloaded\nTrying again in 300 ms (retry 1).", 1),
    ]);
  });
});
