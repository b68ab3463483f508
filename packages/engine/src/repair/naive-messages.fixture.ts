import type { AssistantMessage, MessageBody, ToolResultPart } from "@skein/contracts";
import type { RepairProvider } from "./repair-provider.ts";

type Wire = Record<string, unknown>;

const textsOf = (content: MessageBody["content"]): string[] =>
  typeof content === "string" ? [content] : content.flatMap((part) => (part.type === "text" ? [part.text] : []));
const resultOf = ({ result }: ToolResultPart) => (typeof result === "string" ? result : "image");
const callsOf = (body: AssistantMessage) => body.toolCalls ?? [];

/** One message per body, as written by a program that checks nothing. */
export const naive: Record<RepairProvider, (body: MessageBody) => Wire[]> = {
  anthropic(body) {
    if (body.role === "tool") {
      return [
        {
          role: "user",
          content: body.content.map((part) => ({ type: "tool_result", tool_use_id: part.toolCallId, content: resultOf(part) })),
        },
      ];
    }
    const texts = textsOf(body.content).map((text) => ({ type: "text", text, cache_control: null }));
    if (body.role !== "assistant") return [{ role: "user", content: texts }];
    const calls = callsOf(body).map((call) => ({ type: "tool_use", id: call.id, name: "tool", input: { text: call.function.arguments } }));
    return [{ role: "assistant", content: [...calls.slice(0, 1), ...texts, ...calls.slice(1)] }];
  },
  "openai-chat"(body) {
    if (body.role === "tool") return body.content.map((part) => ({ role: "tool", tool_call_id: part.toolCallId, content: resultOf(part) }));
    const content = textsOf(body.content).join("\n");
    if (body.role !== "assistant" || callsOf(body).length === 0) return [{ role: body.role, content }];
    const calls = callsOf(body).map(({ id }) => ({ id, type: "function", function: { name: "tool", arguments: "{}" } }));
    return [{ role: "assistant", content: content === "" ? null : content, tool_calls: calls }];
  },
  "openai-responses"(body) {
    if (body.role === "tool") {
      return body.content.map((part) => ({ type: "function_call_output", call_id: part.toolCallId, output: resultOf(part) }));
    }
    const content = textsOf(body.content).join("\n");
    const message = { type: "message", role: body.role === "assistant" ? "assistant" : "user", content };
    if (body.role !== "assistant") return [message];
    return [message, ...callsOf(body).map(({ id }) => ({ type: "function_call", call_id: id, name: "tool", arguments: "{}" }))];
  },
  gemini(body) {
    if (body.role === "tool") {
      const toPart = (part: ToolResultPart) => ({
        functionResponse: {
          ...(part.toolCallId === "" ? {} : { id: part.toolCallId }),
          name: "tool",
          response: { output: resultOf(part) },
        },
      });
      return [{ role: "user", parts: body.content.map(toPart) }];
    }
    const texts = textsOf(body.content).map((text) => ({ text }));
    if (body.role !== "assistant") return [{ role: "user", parts: texts }];
    return [{ role: "model", parts: [...texts, ...callsOf(body).map(({ id }) => ({ functionCall: { id, name: "tool", args: {} } }))] }];
  },
  "ai-sdk"(body) {
    if (body.role === "tool") {
      const toPart = (part: ToolResultPart) => ({
        type: "tool-result",
        toolCallId: part.toolCallId,
        toolName: "tool",
        output: { type: "text", value: resultOf(part) },
      });
      return [{ role: "tool", content: body.content.map(toPart) }];
    }
    if (body.role !== "assistant") return [{ role: body.role, content: textsOf(body.content).join("\n") }];
    const texts = textsOf(body.content).map((text) => ({ type: "text", text }));
    return [
      {
        role: "assistant",
        content: [...texts, ...callsOf(body).map(({ id }) => ({ type: "tool-call", toolCallId: id, toolName: "tool", input: {} }))],
      },
    ];
  },
};
