import type { ConversationMessage } from "@skein/contracts";
import { describe, expect, it } from "vitest";
import { toDepths } from "./nesting.ts";

const tool = (toolUseId: string, parentToolUseId?: string) =>
  ({ messageType: "tool_execution", metadata: { toolUseId, parentToolUseId } }) as ConversationMessage;
const said = (parentToolUseId?: string) => ({ messageType: "text", metadata: { parentToolUseId } }) as ConversationMessage;

describe("[T7] toDepths", () => {
  it("puts what a subagent does one level below its card, whatever comes in between", () => {
    const messages = [said(), tool("a"), tool("b"), tool("a1", "a"), said("b"), tool("a2", "a1"), said("a2"), said()];
    expect(toDepths(messages)).toEqual([0, 0, 0, 1, 1, 2, 3, 0]);
  });

  it("counts one level where the card of the subagent is not loaded", () => {
    expect(toDepths([said("gone"), tool("x", "gone"), said("x")])).toEqual([1, 1, 2]);
  });

  it("stops where a narrow screen would have no room for the text", () => {
    const chain = ["t1", "t2", "t3", "t4", "t5", "t6"].map((id, index) => tool(id, index === 0 ? undefined : `t${index}`));
    expect(toDepths(chain)).toEqual([0, 1, 2, 3, 4, 4]);
  });
});
