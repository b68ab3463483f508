import { z } from "zod";
import { jsonValueSchema } from "./json.ts";

/*
 * Protocol messages: what users, models and tools contributed. Requests are built from them for every agent, so any agent can continue
 * where another stopped. What users see is in conversation-message.ts.
 */

/** A text inside of a message. */
export const textPartSchema = z.object({ type: z.literal("text"), text: z.string() });
export type TextPart = z.infer<typeof textPartSchema>;

/** An image inside of a message. */
export const imagePartSchema = z.object({
  type: z.literal("image"),
  mediaType: z.enum(["image/png", "image/jpeg", "image/gif", "image/webp"]),
  /** Base64 without a `data:` prefix. */
  data: z.string(),
});
export type ImagePart = z.infer<typeof imagePartSchema>;

/** The model's reasoning. The signature is sent back only to the model that made it. */
export const reasoningPartSchema = z.object({
  type: z.literal("reasoning"),
  text: z.string(),
  signature: z.string().optional(),
  /** `<provider>/<model>` that made the signature. */
  model: z.string().optional(),
  /** Other data that the provider needs back unchanged (item ids, encrypted or redacted content). */
  providerData: jsonValueSchema.optional(),
});
export type ReasoningPart = z.infer<typeof reasoningPartSchema>;

/** A tool call of the model. */
export const toolCallSchema = z.object({
  id: z.string(),
  type: z.literal("function"),
  function: z.object({
    name: z.string(),
    /** JSON text as the model wrote it; may be broken. */
    arguments: z.string(),
  }),
  /** Data that the provider needs back unchanged with the call (a thought signature, an item id). */
  providerData: jsonValueSchema.optional(),
});
export type ToolCall = z.infer<typeof toolCallSchema>;

/** `result` is the tool's output: text, or text and images. */
export const toolResultPartSchema = z.object({
  type: z.literal("tool-result"),
  toolCallId: z.string(),
  toolName: z.string(),
  input: jsonValueSchema,
  result: z.union([z.string(), z.array(z.discriminatedUnion("type", [textPartSchema, imagePartSchema]))]),
  isError: z.boolean().optional(),
});
export type ToolResultPart = z.infer<typeof toolResultPartSchema>;

/** The order in which a message was streamed, if text follows a tool call: its body has all texts first. */
export const segmentSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), text: z.string() }),
  z.object({ type: z.literal("reasoning"), text: z.string() }),
  z.object({ type: z.literal("tool-call"), toolCallId: z.string() }),
]);
export type Segment = z.infer<typeof segmentSchema>;

/** A system message: the system prompt, or a summary. */
export const systemMessageSchema = z.object({
  role: z.literal("system"),
  content: z.string(),
});
/** A user's message. */
export const userMessageSchema = z.object({
  role: z.literal("user"),
  content: z.union([z.string(), z.array(z.discriminatedUnion("type", [textPartSchema, imagePartSchema]))]),
});
/** The model's answer: text, reasoning and tool calls. */
export const assistantMessageSchema = z.object({
  role: z.literal("assistant"),
  content: z.union([z.string(), z.array(z.discriminatedUnion("type", [textPartSchema, reasoningPartSchema]))]),
  toolCalls: z.array(toolCallSchema).optional(),
  segments: z.array(segmentSchema).optional(),
});
/** The results of tool calls. One message may hold several. */
export const toolMessageSchema = z.object({
  role: z.literal("tool"),
  content: z.array(toolResultPartSchema),
});

export type UserMessage = z.infer<typeof userMessageSchema>;
export type AssistantMessage = z.infer<typeof assistantMessageSchema>;
export type ToolMessage = z.infer<typeof toolMessageSchema>;

/** A protocol message without its id. */
export const messageBodySchema = z.discriminatedUnion("role", [
  systemMessageSchema,
  userMessageSchema,
  assistantMessageSchema,
  toolMessageSchema,
]);
export type MessageBody = z.infer<typeof messageBodySchema>;

/** A message with an id; the engine also accepts numeric ids, for histories of other programs. */
export interface MessageEntity {
  id: string | number;
  body: MessageBody;
  tokens?: number | undefined;
}
