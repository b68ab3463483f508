import type { MessageBody, ToolCall } from "@skein/contracts";
import { describe, expect, test } from "vitest";
import { type AnthropicThinking, toAnthropicRequest } from "./to-anthropic-request.ts";

const modelId = "anthropic/claude-haiku-4-5";

function request(messages: MessageBody[], options: { tools?: string[]; thinking?: AnthropicThinking } = {}) {
  const tools = (options.tools ?? []).map((name) => ({ name, description: "", inputSchema: {} }));
  return toAnthropicRequest({ messages, tools, model: "claude-haiku-4-5", modelId, maxTokens: 8000, thinking: options.thinking }).params;
}

function call(id: string, text = "{}"): ToolCall {
  return { id, type: "function", function: { name: "bash", arguments: text } };
}

function result(id: string, text: string): MessageBody {
  return { role: "tool", content: [{ type: "tool-result", toolCallId: id, toolName: "bash", input: {}, result: text }] };
}

const ephemeral = { cache_control: { type: "ephemeral" } };

describe("Anthropic requests", () => {
  test("[A1] [A4] results come first in the message after their calls, before the text of the user", () => {
    const { messages } = request(
      [
        { role: "user", content: "go" },
        { role: "assistant", content: "look", toolCalls: [call("a"), call("b")] },
        result("a", "1"),
        result("b", " "),
        { role: "user", content: "stop" },
      ],
      { tools: ["bash"] },
    );
    expect(messages).toEqual([
      { role: "user", content: [{ type: "text", text: "go", ...ephemeral }] },
      {
        role: "assistant",
        content: [
          { type: "text", text: "look" },
          { type: "tool_use", id: "a", name: "bash", input: {} },
          { type: "tool_use", id: "b", name: "bash", input: {} },
        ],
      },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "a", content: [{ type: "text", text: "1" }] },
          { type: "tool_result", tool_use_id: "b", content: [{ type: "text", text: "(no output)" }] },
          { type: "text", text: "stop", ...ephemeral },
        ],
      },
    ]);
  });

  test("[A8] four cache points: tools, system prompt, the last two user messages", () => {
    const params = request(
      [
        { role: "system", content: "prompt" },
        { role: "user", content: "1" },
        { role: "assistant", content: "2" },
        { role: "user", content: "3" },
        { role: "assistant", content: "4" },
        { role: "user", content: "5" },
      ],
      { tools: ["bash", "read"] },
    );
    expect(params.system).toEqual([{ type: "text", text: "prompt", ...ephemeral }]);
    expect(params.tools?.map((tool) => tool.cache_control !== undefined)).toEqual([false, true]);
    expect(JSON.stringify(params.messages).match(/cache_control/g)).toHaveLength(2);
    expect(params.messages[0]?.content).toEqual([{ type: "text", text: "1" }]);
  });

  test("[A7] a history with calls but no tools declares them, open, and forbids their use", () => {
    const params = request([{ role: "user", content: "go" }, { role: "assistant", content: "", toolCalls: [call("a")] }, result("a", "1")]);
    expect(params.tools).toMatchObject([{ name: "bash", input_schema: { type: "object", additionalProperties: true } }]);
    expect(params.tool_choice).toEqual({ type: "none" });
  });

  test("[A10] [A13] the first and the last message are the user's, and adjacent messages of one role are merged", () => {
    const { messages } = request([
      { role: "assistant", content: "I" },
      { role: "assistant", content: "said" },
    ]);
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
    expect(messages[1]?.content).toEqual([
      { type: "text", text: "I" },
      { type: "text", text: "said" },
    ]);
    expect(messages[2]?.content).toMatchObject([{ text: "Continue." }]);
  });

  test("[R2] the summary of earlier messages is user text, so that the system prompt stays as it is", () => {
    const { system, messages } = request([
      { role: "system", content: "prompt" },
      { role: "system", content: "[Previous conversation summary]\n\nolder" },
      { role: "user", content: "go on" },
    ]);
    expect(system).toMatchObject([{ text: "prompt" }]);
    expect(messages[0]?.content).toMatchObject([{ text: "[Previous conversation summary]\n\nolder" }, { text: "go on" }]);
  });

  test("[A9] signed thinking is sent back unchanged; unsigned, foreign and trailing thinking is left out", () => {
    const own = { type: "reasoning" as const, text: "own ", signature: "sig", model: modelId };
    const redacted = { type: "reasoning" as const, text: "", model: modelId, providerData: { redactedThinking: "data" } };
    const { messages } = request(
      [
        { role: "user", content: "go" },
        {
          role: "assistant",
          content: [own, { ...own, signature: "" }, { ...own, model: "anthropic/other" }, redacted, { type: "text", text: "so" }, own],
        },
        { role: "user", content: "and?" },
      ],
      { thinking: "adaptive" },
    );
    expect(messages[1]?.content).toEqual([
      { type: "thinking", thinking: "own ", signature: "sig" },
      { type: "redacted_thinking", data: "data" },
      { type: "text", text: "so" },
    ]);
  });

  test("[A9] thinking by budget pauses in a tool loop that another model began", () => {
    const loop = (model: string): MessageBody[] => [
      { role: "user", content: "go" },
      { role: "assistant", content: [{ type: "reasoning", text: "t", signature: "s", model }], toolCalls: [call("a")] },
      result("a", "1"),
    ];
    const options = { tools: ["bash"], thinking: { budgetTokens: 2000 } };
    expect(request(loop(modelId), options).thinking).toEqual({ type: "enabled", budget_tokens: 2000 });
    expect(request(loop("openai/gpt"), options).thinking).toBeUndefined();
  });

  test.each([
    ["{", { invalid_arguments: "{" }],
    ["[1]", { value: [1] }],
    ["", {}],
    ['{"a":"\\ud800"}', { a: "\ufffd" }],
    ['{"__proto__":1}', JSON.parse('{"__proto__":1}')],
  ])("arguments %s become an object", (text, input) => {
    const { messages } = request([
      { role: "user", content: "go" },
      { role: "assistant", content: "", toolCalls: [call("a", text)] },
      result("a", "1"),
    ]);
    expect(JSON.stringify(messages[1]?.content)).toContain(JSON.stringify({ input }).slice(1, -1));
  });
});
