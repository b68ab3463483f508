import { z } from "zod";
import { type JsonValue, jsonValueSchema } from "./json.ts";
import { type ImagePart, imagePartSchema, messageBodySchema, type TextPart, type ToolResultPart } from "./message.ts";

/*
 * Forms of messages that other programs store. They are read at every edge (the request builder, stored rows, the native
 * agent's input, imports) and turned into the one form that is spoken, without losing a text or an image.
 */

/** A part as vision APIs write it: OpenAI's (both APIs), Anthropic's, or ours. Unknown kinds are kept as JSON text. */
export const foreignPartSchema = z.looseObject({ type: z.string() });
export type ForeignPart = z.infer<typeof foreignPartSchema>;

/** One result per tool message, named by `toolCallId`. */
export const singleToolMessageSchema = z.looseObject({
  role: z.literal("tool"),
  toolCallId: z.string(),
  content: z.union([z.string(), z.array(foreignPartSchema)]),
  toolName: z.string().optional(),
  isError: z.boolean().optional(),
});
export type SingleToolMessage = z.infer<typeof singleToolMessageSchema>;

/** A result as an object, as tools of other programs return it: `llmContent` is what their model reads. */
const resultObjectSchema = z.looseObject({
  llmContent: z.union([z.string(), z.array(foreignPartSchema)]).optional(),
  isError: z.boolean().optional(),
});

/** Reads the parts of a message or result; what is neither text nor an image of ours becomes text. */
export function toContentParts(parts: readonly ForeignPart[]): (TextPart | ImagePart)[] {
  return parts.map(toContentPart);
}

function toContentPart(part: ForeignPart): TextPart | ImagePart {
  const image = imagePartSchema.safeParse(part);
  if (image.success) return image.data;
  if (typeof part.text === "string") return { type: "text", text: part.text };
  return toImagePart(findImageAddress(part)) ?? { type: "text", text: JSON.stringify(part) };
}

/** A data URL; any other address is somebody else's to load, so it stays text. */
function findImageAddress(part: ForeignPart): string | undefined {
  const { image_url: url, source } = part as { image_url?: unknown; source?: unknown };
  if (typeof url === "string") return url;
  if (isObject(url) && typeof url.url === "string") return url.url;
  if (isObject(source) && source.type === "base64") return `data:${String(source.media_type)};base64,${String(source.data)}`;
  return undefined;
}

/** Undefined for anything but a base64 data URL of an image type that models read. */
export function toImagePart(dataUrl: string | undefined): ImagePart | undefined {
  const found = /^data:([^;,]+);base64,/.exec(dataUrl ?? "");
  if (found === null || dataUrl === undefined) return undefined;
  const image = imagePartSchema.safeParse({ type: "image", mediaType: found[1], data: dataUrl.slice(found[0].length) });
  return image.success ? image.data : undefined;
}

/** What a tool gave back, in any form: text, parts, or an object. */
export function toToolResult(result: JsonValue | readonly ForeignPart[]): Pick<ToolResultPart, "result" | "isError"> {
  if (typeof result === "string") return { result };
  const parts = z.array(foreignPartSchema).safeParse(result);
  if (parts.success) return { result: toContentParts(parts.data) };
  const object = resultObjectSchema.safeParse(result);
  if (!object.success || object.data.llmContent === undefined) return { result: JSON.stringify(result) };
  const { llmContent, isError } = object.data;
  return { ...toToolResult(llmContent as JsonValue), ...(isError === undefined ? {} : { isError }) };
}

/** The tool message that is spoken; any other value is returned as it is. */
export function fromSingleToolMessage(message: unknown): unknown {
  if (!isObject(message) || message.role !== "tool") return message;
  const single = typeof message.toolCallId === "string" ? singleToolMessageSchema.safeParse(message) : undefined;
  if (single?.success) {
    const { toolCallId, toolName = "", content, isError } = single.data;
    const part: ToolResultPart = {
      type: "tool-result",
      toolCallId,
      toolName,
      input: null,
      ...toToolResult(content as JsonValue),
      ...(isError === undefined ? {} : { isError }),
    };
    return { role: "tool", content: [part] };
  }
  return hasObjectResult(message) ? { ...message, content: message.content.map(withPlainResult) } : message;
}

interface ToolMessageLike {
  content: unknown[];
}

function hasObjectResult(message: Record<string, unknown>): message is Record<string, unknown> & ToolMessageLike {
  return Array.isArray(message.content) && message.content.some((part) => isObject(part) && isObject(part.result));
}

function withPlainResult(part: unknown): unknown {
  if (!isObject(part) || !isObject(part.result)) return part;
  const result = jsonValueSchema.safeParse(part.result);
  return result.success ? { ...part, ...toToolResult(result.data) } : part;
}

/** A message body, in the form that is spoken or as document 001 and 004 write a tool message. */
export const acceptedBodySchema = z.preprocess(fromSingleToolMessage, messageBodySchema);

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
