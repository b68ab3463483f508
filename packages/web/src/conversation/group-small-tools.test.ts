import type { ConversationMessage, ToolExecutionMessage } from "@skein/contracts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { groupSmallTools, toToolGroupView } from "./group-small-tools.ts";
import { keyOf, messagesIn, toConversationTree } from "./nesting.ts";

const tool = (id: string, toolName: string, changes: object = {}, timestamp = 0) =>
  ({
    id,
    role: "assistant",
    messageType: "tool_execution",
    content: `${toolName} ${id}`,
    timestamp,
    revision: 1,
    metadata: {
      toolName,
      toolUseId: id,
      input: {},
      output: "",
      summary: "",
      state: "completed",
      isError: false,
      durationMs: 5,
      ...changes,
    },
  }) as ToolExecutionMessage;
const text = (id: string) =>
  ({ id, role: "assistant", messageType: "text", content: "", timestamp: 0, revision: 1 }) as ConversationMessage;
const group = (messages: readonly ConversationMessage[]) => groupSmallTools(toConversationTree(messages));
const shape = (messages: readonly ConversationMessage[]) =>
  group(messages).map((entry) => (entry.kind === "group" ? entry.messages.map(({ id }) => id) : keyOf(entry)));

describe("groupSmallTools", () => {
  it("groups reads, searches and lists that follow each other, from three on", () => {
    const messages = [
      tool("a", "read"),
      tool("b", "grep"),
      text("t"),
      tool("c", "Read"),
      tool("d", "Glob"),
      tool("e", "ls"),
      tool("f", "bash"),
    ];
    expect(shape(messages)).toEqual(["a", "b", "t", ["c", "d", "e"], "f"]);
  });

  it("leaves a call alone that has something inside", () => {
    const messages = [tool("a", "read"), tool("b", "read"), tool("c", "read"), tool("d", "bash", { parentToolUseId: "b" })];
    expect(shape(messages)).toEqual(["a", "b", "c"]);
  });

  it("has the same key while it grows", () => {
    const messages = ["a", "b", "c", "d"].map((id) => tool(id, "read"));
    const keys = [3, 4].map((count) => group(messages.slice(0, count))[0]);
    expect(keys.map((entry) => entry?.kind === "group" && entry.key)).toEqual(["group:a", "group:a"]);
  });

  it("never leaves a message out or changes the order", () => {
    const names = fc.constantFrom("read", "grep", "ls", "bash", "edit", "text");
    fc.assert(
      fc.property(fc.array(names, { maxLength: 30 }), (steps) => {
        const messages = steps.map((name, i) => (name === "text" ? text(`m${i}`) : tool(`m${i}`, name)));
        const found = group(messages).flatMap((entry): readonly ConversationMessage[] =>
          entry.kind === "group" ? entry.messages : messagesIn(entry),
        );
        expect(found).toEqual(messages);
      }),
    );
  });
});

describe("toToolGroupView", () => {
  it("counts files once, and reports failures and the time from first to last", () => {
    const file = (filePath: string) => ({ details: { type: "fileContent", data: { filePath, content: "", startLine: 1 } } });
    const messages = [
      tool("a", "read", file("x.ts"), 100),
      tool("b", "read", file("x.ts"), 110),
      tool("c", "read", { state: "failed", isError: true, durationMs: 90 }, 120),
      tool("d", "grep", {}, 130),
    ];
    expect(toToolGroupView(messages)).toEqual({ counts: { read: 2, search: 1, list: 0 }, failed: 1, running: null, durationMs: 110 });
  });

  it("reports what runs now", () => {
    const messages = [tool("a", "read"), tool("b", "grep", { state: "running", durationMs: undefined })];
    expect(toToolGroupView(messages)).toMatchObject({
      running: { action: "text", subject: "grep b", state: "running" },
      durationMs: null,
      failed: 0,
    });
  });
});
