import { z } from "zod";
import { describeShapeIssue } from "../openai-violation.ts";
import { type Parsed, parseShape } from "../parse-shape.ts";

const textPart = z.looseObject({ type: z.literal("text"), text: z.string() });

const userPart = z.discriminatedUnion("type", [
  textPart,
  z.looseObject({ type: z.literal("image_url"), image_url: z.looseObject({ url: z.string() }) }),
  z.looseObject({ type: z.enum(["input_audio", "file"]) }),
]);

// Null, missing and [] are rules of their own (C3), not matters of shape.
const textContent = z.union([z.string(), z.array(textPart)]).nullish();

const toolCall = z.discriminatedUnion("type", [
  z.looseObject({
    type: z.literal("function"),
    id: z.string(),
    function: z.looseObject({ name: z.string(), arguments: z.unknown() }),
  }),
  z.looseObject({ type: z.literal("custom"), id: z.string(), custom: z.looseObject({ name: z.string(), input: z.string() }) }),
]);

const assistantPart = z.discriminatedUnion("type", [textPart, z.looseObject({ type: z.literal("refusal"), refusal: z.string() })]);

const message = z.discriminatedUnion("role", [
  z.looseObject({ role: z.enum(["system", "developer"]), content: textContent }),
  z.looseObject({ role: z.literal("user"), content: z.union([z.string(), z.array(userPart)]).nullish() }),
  z.looseObject({
    role: z.literal("assistant"),
    content: z.union([z.string(), z.array(assistantPart)]).nullish(),
    refusal: z.string().nullish(),
    tool_calls: z.array(toolCall).optional(),
  }),
  z.looseObject({ role: z.literal("tool"), tool_call_id: z.string(), content: textContent }),
]);

const tool = z.looseObject({
  type: z.enum(["function", "custom"]),
  function: z.looseObject({ name: z.string() }).optional(),
  custom: z.looseObject({ name: z.string() }).optional(),
});

const request = z.looseObject({ model: z.string(), messages: z.array(message).min(1), tools: z.array(tool).min(1).optional() });

export type ChatRequest = z.infer<typeof request>;
export type ChatMessage = z.infer<typeof message>;
export type ChatToolCall = z.infer<typeof toolCall>;

export function parseChatRequest(body: unknown): Parsed<ChatRequest> {
  return parseShape(request, body, describeShapeIssue);
}

export function toolCallsOf(message: ChatMessage | undefined): ChatToolCall[] {
  return message?.role === "assistant" ? (message.tool_calls ?? []) : [];
}
