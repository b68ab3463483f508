import type { JsonValue, MessageBody, ReasoningPart, ToolCall } from "@skein/contracts";
import { checkOpenAIResponsesRequest } from "@skein/testkit/provider-rules";
import { describe, expect, test } from "vitest";
import { toOpenAIResponsesRequest } from "./to-responses-request.ts";

const modelId = "openai/gpt-5.6-sol";

function items(messages: MessageBody[]): Record<string, unknown>[] {
  const { params } = toOpenAIResponsesRequest({ messages, tools: [], model: "gpt-5.6-sol", modelId, reasons: true });
  expect(checkOpenAIResponsesRequest(params)).toEqual([]);
  return params.input as unknown as Record<string, unknown>[];
}

function thought(itemId: string, next: JsonValue, model = modelId): ReasoningPart {
  return { type: "reasoning", text: "", model, providerData: { itemId, encryptedContent: "enc", next } };
}

function call(id: string, itemId: string, after: string[]): ToolCall {
  return { id, type: "function", function: { name: "bash", arguments: "{}" }, providerData: { model: modelId, itemId, after } };
}

const answers = (...ids: string[]): MessageBody => ({
  role: "tool",
  content: ids.map((toolCallId) => ({ type: "tool-result", toolCallId, toolName: "bash", input: {}, result: "ok" })),
});
const user: MessageBody = { role: "user", content: "go" };
const outline = (list: Record<string, unknown>[]) => list.map((item) => `${item.type}${item.id === undefined ? "" : ` ${item.id}`}`);

describe("[S2] a reasoning item is directly before the item that it came with", () => {
  test("between calls, too", () => {
    const content = [thought("rs_1", { type: "function_call", id: "fc_1" }), thought("rs_2", { type: "function_call", id: "fc_2" })];
    const toolCalls = [call("a", "fc_1", ["rs_1"]), call("b", "fc_2", ["rs_1", "rs_2"])];
    const sent = items([user, { role: "assistant", content, toolCalls }, answers("a", "b")]);
    expect(outline(sent)).toEqual([
      "message",
      "reasoning rs_1",
      "function_call fc_1",
      "reasoning rs_2",
      "function_call fc_2",
      "function_call_output",
      "function_call_output",
    ]);
    expect(sent[1]).toEqual({ type: "reasoning", id: "rs_1", summary: [], encrypted_content: "enc" });
  });

  test("before a message, which then has its own id and phase", () => {
    const content = [thought("rs_1", { type: "message", id: "msg_1", phase: "commentary" }), { type: "text" as const, text: "said" }];
    expect(items([user, { role: "assistant", content }, user])[2]).toMatchObject({ id: "msg_1", phase: "commentary", role: "assistant" });
  });

  test("without it the call goes without its id", () => {
    const toolCalls = [call("a", "fc_1", ["rs_1"])];
    const foreign = [thought("rs_1", { type: "function_call", id: "fc_1" }, "openai/other")];
    expect(outline(items([user, { role: "assistant", content: foreign, toolCalls }, answers("a")]))).toEqual([
      "message",
      "function_call",
      "function_call_output",
    ]);
  });

  test("without its item it stays behind", () => {
    const content = [thought("rs_1", { type: "function_call", id: "fc_9" }), { type: "text" as const, text: "said" }];
    expect(outline(items([user, { role: "assistant", content }, user]))).toEqual(["message", "message", "message"]);
  });
});

test("[S3] an id is sent once, also when a history holds a message twice", () => {
  const message = (id: string): MessageBody => ({
    role: "assistant",
    content: [thought("rs_1", { type: "function_call", id: "fc_1" })],
    toolCalls: [call(id, "fc_1", ["rs_1"])],
  });
  expect(outline(items([user, message("a"), answers("a"), message("b"), answers("b")]))).toEqual([
    "message",
    "reasoning rs_1",
    "function_call fc_1",
    "function_call_output",
    "function_call",
    "function_call_output",
  ]);
});

test("nothing is stored at the provider, and tools are not strict", () => {
  const tools = [{ name: "bash", description: "d", inputSchema: {} }];
  const { params } = toOpenAIResponsesRequest({ messages: [user], tools, model: "m", modelId, reasons: true });
  expect(params).toMatchObject({ store: false, include: ["reasoning.encrypted_content"], tools: [{ strict: false }] });
  const plain = toOpenAIResponsesRequest({
    messages: [user],
    tools: [],
    model: "gpt-4.1",
    modelId: "openai/gpt-4.1",
    reasons: false,
  }).params;
  expect(plain).not.toHaveProperty("include");
  expect(plain).not.toHaveProperty("reasoning");
});
