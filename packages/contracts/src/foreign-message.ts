import { isJsonObject } from "./is-json-object.ts";
import type { JsonObject, JsonValue } from "./json.ts";
import type { ImagePart, TextPart, ToolResultPart } from "./message.ts";

/*
 * Message formats of other programs. They are read at every edge (request builder, stored rows, the native agent's input, imports) and
 * converted to Skein's own, without losing a text or an image. Without schemas: the browser reads messages, too, and does not load the
 * schema library.
 */

/** A part in the format of a vision API: OpenAI's (both APIs), Anthropic's, or Skein's. Unknown kinds are kept as JSON text. */
export interface ForeignPart {
  type: string;
  [field: string]: unknown;
}

/** One result per tool message, identified by `toolCallId`. */
export interface SingleToolMessage {
  role: "tool";
  toolCallId: string;
  content: string | readonly ForeignPart[];
  toolName?: string;
  isError?: boolean;
}

const imageTypes: ReadonlySet<unknown> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

/** True for an image of a supported type. */
export function isImagePart(part: unknown): part is ImagePart {
  return isJsonObject(part) && part.type === "image" && imageTypes.has(part.mediaType) && typeof part.data === "string";
}

/** Reads the parts of a message or result; anything but text and supported images becomes text. */
export function toContentParts(parts: readonly ForeignPart[]): (TextPart | ImagePart)[] {
  return parts.map(toContentPart);
}

function toContentPart(part: ForeignPart): TextPart | ImagePart {
  if (isImagePart(part)) return { type: "image", mediaType: part.mediaType, data: part.data };
  if (typeof part.text === "string") return { type: "text", text: part.text };
  return toImagePart(findImageAddress(part)) ?? { type: "text", text: JSON.stringify(part) };
}

/** A data URL. Other addresses are never loaded and stay text. */
function findImageAddress({ image_url: url, source }: ForeignPart): string | undefined {
  if (typeof url === "string") return url;
  if (isJsonObject(url) && typeof url.url === "string") return url.url;
  if (isJsonObject(source) && source.type === "base64") return `data:${String(source.media_type)};base64,${String(source.data)}`;
  return undefined;
}

/** Undefined for anything but a base64 data URL of a supported image type. */
export function toImagePart(dataUrl: string | undefined): ImagePart | undefined {
  const found = /^data:([^;,]{1,100});base64,/.exec(dataUrl ?? "");
  if (found === null || dataUrl === undefined) return undefined;
  const image = { type: "image", mediaType: found[1], data: dataUrl.slice(found[0].length) };
  return isImagePart(image) ? image : undefined;
}

/** A tool's result, in any form: text, parts, or an object (with `llmContent` for the model). */
export function toToolResult(result: JsonValue | readonly ForeignPart[]): Pick<ToolResultPart, "result" | "isError"> {
  if (typeof result === "string") return { result };
  if (isPartList(result)) return { result: toContentParts(result) };
  const { llmContent, isError } = (isJsonObject(result) ? result : {}) as { llmContent?: unknown; isError?: unknown };
  if (typeof llmContent !== "string" && !isPartList(llmContent)) return { result: JSON.stringify(result) };
  return { ...toToolResult(llmContent), ...(typeof isError === "boolean" ? { isError } : {}) };
}

/** A tool message in Skein's format; any other value is returned unchanged. */
export function fromSingleToolMessage(message: unknown): unknown {
  if (!isJsonObject(message) || message.role !== "tool") return message;
  const { toolCallId, toolName, content, isError } = message;
  if (typeof toolCallId === "string" && (typeof content === "string" || isPartList(content))) {
    const part: ToolResultPart = {
      type: "tool-result",
      toolCallId,
      toolName: typeof toolName === "string" ? toolName : "",
      input: null,
      ...toToolResult(content),
      ...(typeof isError === "boolean" ? { isError } : {}),
    };
    return { role: "tool", content: [part] };
  }
  if (!Array.isArray(content) || !content.some(hasObjectResult)) return message;
  return { ...message, content: content.map((part) => (hasObjectResult(part) ? { ...part, ...toToolResult(part.result) } : part)) };
}

function hasObjectResult(part: unknown): part is { result: JsonObject } {
  return isJsonObject(part) && isJsonObject(part.result);
}

function isPartList(value: unknown): value is ForeignPart[] {
  return Array.isArray(value) && value.every((part) => isJsonObject(part) && typeof part.type === "string");
}
