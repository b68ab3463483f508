import type { NoticeText } from "@skein/contracts";
import { describe, expect, it } from "vitest";
import { formatText } from "../coded-texts/format-text.ts";
import { delta, executionId, messageEnd, record, retry } from "./outputs.fixture.ts";

const notice = (text: NoticeText, revision: number) => ({
  id: "msg_a-retry",
  role: "system",
  messageType: "notice",
  content: formatText(text),
  timestamp: 1700,
  revision,
  metadata: { executionId, code: "retry", text },
});

describe("a delayed retry", () => {
  it("[N2][T2] shows one notice that is updated with every retry and settled by the first output of the new stream", () => {
    const run = record();
    run.play(retry("msg_a", { delayMs: 1000, reason: "busy" }));
    expect(run.shown()).toEqual([notice({ code: "retry-waiting", reason: "busy", attempt: 1, delayMs: 1000 }, 1)]);
    run.play(retry("msg_a", { delayMs: 2000, attempt: 2, reason: "still busy", at: 2700 }));
    expect(run.shown()).toEqual([notice({ code: "retry-waiting", reason: "still busy", attempt: 2, delayMs: 2000 }, 2)]);
    run.play(delta("msg_a", 0, "hello"), delta("msg_a", 0, " you"), messageEnd("msg_a"));
    expect(run.shown()[0]).toEqual(notice({ code: "retry-succeeded", reason: "still busy", attempt: 2 }, 3));
  });

  it("[T5] is settled when its execution ends without further output", () => {
    const run = record();
    run.play(retry("msg_a", { delayMs: 300 }));
    run.keep(run.processor.settle({ at: 5000, reason: "" }));
    expect(run.shown()).toEqual([notice({ code: "retry-failed", reason: "overloaded", attempt: 1 }, 2)]);
  });

  it("another message's output does not settle it, and a retry without a delay shows nothing", () => {
    const run = record();
    run.play(retry("msg_a", { delayMs: 300 }), delta("msg_b", 0, "x"), retry("msg_b"));
    expect(run.shown().filter((message) => message.messageType === "notice")).toEqual([
      notice({ code: "retry-waiting", reason: "overloaded", attempt: 1, delayMs: 300 }, 1),
    ]);
  });
});
