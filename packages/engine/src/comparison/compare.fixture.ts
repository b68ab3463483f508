import { AIMessage, type BaseMessage, HumanMessage, ToolMessage, trimMessages } from "@langchain/core/messages";
import { checkOpenAIChatRequest } from "@skein/testkit/provider-rules";
import { convertToModelMessages, type ModelMessage, pruneMessages, type UIMessage } from "ai";
import { repair } from "../repair/repair.ts";
import type { ChatMessage } from "./broken-histories.fixture.ts";

/** What each library makes of a history, as messages of Chat Completions, converted one to one. */
export const libraries: Readonly<Record<string, (history: readonly ChatMessage[]) => Promise<ChatMessage[]>>> = {
  "`repair`": async (history) => repair(history, { provider: "openai-chat" }).messages,
  "`ai`": async (history) => {
    const messages = await convertToModelMessages(toUIMessages(history), { ignoreIncompleteToolCalls: true });
    return fromModelMessages(pruneMessages({ messages, emptyMessages: "remove" }));
  },
  "`ai`, `pruneMessages` alone": async (history) =>
    fromModelMessages(pruneMessages({ messages: toModelMessages(history), emptyMessages: "remove" })),
  "`trimMessages`": async (history) => {
    const messages = history.map(toBaseMessage);
    const trimmed = await trimMessages(messages, {
      maxTokens: 1000,
      tokenCounter: (all) => all.length,
      strategy: "last",
      startOn: "human",
      endOn: ["human", "tool"],
      includeSystem: true,
    });
    return trimmed.map(fromBaseMessage);
  },
};

/** One cell of the table: whether the API accepts the history, and how many of its texts are left. */
export async function judge(library: (history: readonly ChatMessage[]) => Promise<ChatMessage[]>, history: readonly ChatMessage[]) {
  const messages = await library(history).catch((error: Error) => error);
  if (messages instanceof Error) return `throws ${messages.name}`;
  const [violation] = checkOpenAIChatRequest({ model: "gpt-5", messages, stream: true });
  if (violation !== undefined) return `**400** (${violation.rule})`;
  const texts = (all: readonly ChatMessage[]) => new Set(all.flatMap(({ content }) => content?.match(/text \d/) ?? []));
  const [left, all] = [texts(messages).size, texts(history).size];
  return left === all ? "accepted" : `accepted, ${left} of ${all} texts left`;
}

/** An application's own store: a tool part has the result that came for its call, if any. */
function toUIMessages(history: readonly ChatMessage[]): UIMessage[] {
  const resultOf = (id: string) => history.find(({ tool_call_id: of }) => of === id)?.content;
  return history.flatMap((message, i): UIMessage[] => {
    if (message.role === "tool") return [];
    const text = message.content === null ? [] : [{ type: "text" as const, text: message.content }];
    const tools = (message.tool_calls ?? []).map(({ id }) => {
      const output = resultOf(id);
      const part = { type: "dynamic-tool" as const, toolName: "read", toolCallId: id, input: {} };
      return output === undefined || output === null
        ? { ...part, state: "input-available" as const }
        : { ...part, state: "output-available" as const, output };
    });
    return [{ id: String(i), role: message.role, parts: [...text, ...tools] }];
  });
}

function toModelMessages(history: readonly ChatMessage[]): ModelMessage[] {
  return history.map(({ role, content, tool_calls: given = [], tool_call_id: of = "" }): ModelMessage => {
    const text = content ?? "";
    if (role === "tool")
      return { role, content: [{ type: "tool-result", toolCallId: of, toolName: "read", output: { type: "text", value: text } }] };
    if (role !== "assistant") return { role, content: text };
    const calls = given.map(({ id }) => ({ type: "tool-call" as const, toolCallId: id, toolName: "read", input: {} }));
    return { role, content: [...(content === null ? [] : [{ type: "text" as const, text }]), ...calls] };
  });
}

function fromModelMessages(messages: readonly ModelMessage[]): ChatMessage[] {
  return messages.flatMap((message): ChatMessage[] => {
    const parts = typeof message.content === "string" ? [{ type: "text" as const, text: message.content }] : message.content;
    const content = parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
    if (message.role === "tool")
      return message.content.flatMap((part) =>
        part.type === "tool-result" && "value" in part.output
          ? [{ role: "tool", tool_call_id: part.toolCallId, content: String(part.output.value) }]
          : [],
      );
    const calls = parts.flatMap((part) => (part.type === "tool-call" ? [toCall(part.toolCallId, part.toolName)] : []));
    return [calls.length === 0 ? { role: message.role, content } : { role: message.role, content: content || null, tool_calls: calls }];
  });
}

const toCall = (id: string, name: string) => ({ id, type: "function" as const, function: { name, arguments: "{}" } });

function toBaseMessage({ role, content, tool_calls: given = [], tool_call_id: of = "" }: ChatMessage): BaseMessage {
  if (role === "tool") return new ToolMessage({ content: content ?? "", tool_call_id: of });
  if (role !== "assistant") return new HumanMessage(content ?? "");
  return new AIMessage({ content: content ?? "", tool_calls: given.map(({ id }) => ({ id, name: "read", args: {} })) });
}

function fromBaseMessage(message: BaseMessage): ChatMessage {
  const content = String(message.content);
  if (ToolMessage.isInstance(message)) return { role: "tool", tool_call_id: message.tool_call_id, content };
  if (!AIMessage.isInstance(message)) return { role: "user", content };
  const calls = (message.tool_calls ?? []).map(({ id, name }) => toCall(id ?? "", name));
  return calls.length === 0 ? { role: "assistant", content } : { role: "assistant", content: content || null, tool_calls: calls };
}
