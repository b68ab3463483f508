import type { MessageBody } from "@skein/contracts";
import { describe, expect, it } from "vitest";
import { normalizeMessage } from "./normalize-message.ts";

describe("messages of other programs", () => {
  it("[R0] one result as text becomes a tool message with parts", () => {
    expect(normalizeMessage({ role: "tool", toolCallId: "c", content: "out" })).toEqual([
      { role: "tool", content: [{ type: "tool-result", toolCallId: "c", toolName: "", input: null, result: "out" }] },
    ]);
  });

  it("[U1] tool results in a user message become a tool message, and its text stays the user's", () => {
    expect(
      normalizeMessage({
        role: "user",
        content: [
          { type: "tool_result", id: "c", name: "read", input: { path: "a" }, result: { content: "x" }, isError: true },
          { type: "text", text: "and now?" },
        ],
      }),
    ).toEqual([
      {
        role: "tool",
        content: [
          { type: "tool-result", toolCallId: "c", toolName: "read", input: { path: "a" }, result: '{"content":"x"}', isError: true },
        ],
      },
      { role: "user", content: [{ type: "text", text: "and now?" }] },
    ]);
  });

  it("[R0] the spoken form is returned as it is", () => {
    const bodies: MessageBody[] = [
      { role: "system", content: "s" },
      { role: "user", content: "u" },
      { role: "user", content: [{ type: "text", text: "u" }] },
      { role: "assistant", content: "a" },
      { role: "tool", content: [] },
    ];
    for (const body of bodies) expect(normalizeMessage(body)[0]).toBe(body);
    expect(normalizeMessage({ role: "assistant", toolCalls: [] })).toEqual([{ role: "assistant", toolCalls: [], content: "" }]);
  });
});
