import type { ConversationMessage } from "@skein/contracts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ConversationNode, messagesIn, toConversationTree, toSubagentView } from "./nesting.ts";

const tool = (toolUseId: string, parentToolUseId?: string, changes: object = {}, id = toolUseId) =>
  ({
    id,
    role: "assistant",
    messageType: "tool_execution",
    content: id,
    metadata: { toolName: "bash", toolUseId, parentToolUseId, state: "completed", summary: "", ...changes },
  }) as ConversationMessage;
const said = (id: string, parentToolUseId?: string) =>
  ({ id, role: "assistant", messageType: "text", content: id, metadata: { parentToolUseId } }) as ConversationMessage;

type Shape = string | [string, Shape[]];
const shape = (nodes: readonly ConversationNode[]): Shape[] =>
  nodes.map((node) => {
    const name = node.kind === "message" ? node.message.id : `?${node.toolUseId}`;
    return node.children.length === 0 ? name : [name, shape(node.children)];
  });

describe("[T7] toConversationTree", () => {
  it("puts what parallel subagents do inside the card of each, whatever comes in between", () => {
    const messages = [said("x"), tool("a"), tool("b"), tool("a1", "a"), said("b1", "b"), tool("a2", "a"), said("a21", "a2"), said("y")];
    expect(shape(toConversationTree(messages))).toEqual(["x", ["a", ["a1", ["a2", ["a21"]]]], ["b", ["b1"]], "y"]);
  });

  it("keeps apart what belongs to cards that are not loaded, and does not lose it", () => {
    const messages = [said("1", "gone"), said("2", "lost"), tool("x", "gone"), said("3", "x"), said("4", "lost")];
    expect(shape(toConversationTree(messages))).toEqual([
      ["?gone", ["1", ["x", ["3"]]]],
      ["?lost", ["2", "4"]],
    ]);
  });

  it("[T6] takes the newest card where an id is used again", () => {
    const messages = [tool("a", undefined, {}, "first"), said("1", "a"), tool("a", undefined, {}, "second"), said("2", "a")];
    expect(shape(toConversationTree(messages))).toEqual([
      ["first", ["1"]],
      ["second", ["2"]],
    ]);
  });

  it("nests unmerged uses and results too", () => {
    const use = { ...tool("a"), messageType: "tool_use" } as ConversationMessage;
    const inner = { ...tool("b", "a"), messageType: "tool_use" } as ConversationMessage;
    const result = { ...tool("b", "a", { isError: false }, "b-result"), messageType: "tool_result" } as ConversationMessage;
    expect(shape(toConversationTree([use, inner, result]))).toEqual([["a", ["b", "b-result"]]]);
  });

  it("holds every message exactly once, whatever refers to whatever", () => {
    const ids = fc.constantFrom("a", "b", "c", undefined);
    fc.assert(
      fc.property(fc.array(fc.tuple(ids, ids), { maxLength: 30 }), (steps) => {
        const messages = steps.map(([own, parent], i) => (own === undefined ? said(`m${i}`, parent) : tool(own, parent, {}, `m${i}`)));
        const found = toConversationTree(messages).flatMap(messagesIn);
        expect(found.map(({ id }) => id).toSorted()).toEqual(messages.map(({ id }) => id).toSorted());
      }),
    );
  });
});

describe("[T7] toSubagentView", () => {
  it("counts the tools, also those of its own subagents, and shows what runs now", () => {
    const messages = [
      tool("a"),
      tool("a1", "a", { state: "failed" }),
      tool("a2", "a"),
      tool("a3", "a2", { state: "running" }),
      said("a4", "a"),
    ];
    const [node] = toConversationTree(messages);
    expect(toSubagentView(node?.children ?? [])).toMatchObject({ tools: 3, failed: 1, running: { subject: "a3", state: "running" } });
  });
});
