import type { ConversationMessage } from "@skein/contracts";
import { describe, expect, it } from "vitest";
import { toContextMeter } from "./context-meter.ts";

const said = (usage: object | undefined, changes: object = {}) =>
  ({ role: "assistant", messageType: "text", metadata: { ...(usage ? { usage } : {}), ...changes } }) as ConversationMessage;
const summary = { role: "system", messageType: "summary" } as ConversationMessage;

describe("[R10] toContextMeter", () => {
  it("is what the last request and its answer took of the window", () => {
    const messages = [said({ inputTokens: 10, outputTokens: 5 }), said({ inputTokens: 70, outputTokens: 11 }), said(undefined)];
    expect(toContextMeter(messages, 100)).toEqual({ used: 81, window: 100, share: 0.81, isNearlyFull: true });
    expect(toContextMeter([said({ inputTokens: 80 })], 100)).toMatchObject({ used: 80, isNearlyFull: false });
    expect(toContextMeter([said({ inputTokens: 300 })], 100)).toMatchObject({ used: 300, share: 1 });
  });

  it("leaves out what a subagent used", () => {
    expect(toContextMeter([said({ inputTokens: 10 }), said({ inputTokens: 90 }, { parentToolUseId: "t1" })], 100)).toMatchObject({
      used: 10,
    });
  });

  it("is not shown where the window or the use is unknown, nor with the use from before a compression", () => {
    expect(toContextMeter([said({ inputTokens: 10 })], undefined)).toBeNull();
    expect(toContextMeter([said({ outputTokens: 10 })], 100)).toBeNull();
    expect(toContextMeter([said({ inputTokens: 90 }), summary], 100)).toBeNull();
    expect(toContextMeter([said({ inputTokens: 90 }), summary, said({ inputTokens: 20 })], 100)).toMatchObject({ used: 20 });
  });
});
