import type { ImagePart, MessageBody, TextPart, ToolCall } from "@skein/contracts";
import { dialects } from "../convert/dialects.ts";
import { isImage } from "../convert/fields.ts";
import type { File, Neutral, Result, Text } from "../convert/neutral.ts";
import type { ForeignObject } from "../repair/foreign-object.ts";
import type { RepairProvider } from "../repair/repair-provider.ts";

/** What messages of an API say, for counting and for transcripts. Never sent. */
export function toBodies(messages: readonly object[], provider: RepairProvider): MessageBody[] {
  return dialects[provider].read(messages as readonly ForeignObject[], () => () => {}).map(toBody);
}

function toBody({ role, parts }: Neutral): MessageBody {
  if (role === "tool") return { role, content: parts.flatMap((part) => (part.type === "result" ? [toResult(part)] : [])) };
  const content = parts.flatMap((part) => (part.type === "text" || part.type === "file" ? [toContent(part)] : []));
  if (role === "user") return { role, content };
  const texts = content.filter((part) => part.type === "text");
  if (role === "system") return { role, content: texts.map(({ text }) => text).join("\n") };
  const reasoning = parts.flatMap((part) =>
    part.type === "reasoning" ? [{ type: "text" as const, text: `${part.text}${JSON.stringify(part.options ?? "")}` }] : [],
  );
  const toolCalls = parts.flatMap((part): ToolCall[] => {
    if (part.type !== "call") return [];
    return [{ id: part.id, type: "function", function: { name: part.name, arguments: part.text ?? JSON.stringify(part.input ?? {}) } }];
  });
  return { role, content: [...reasoning, ...texts], toolCalls };
}

function toResult({ id, name, isError, output }: Result) {
  const result = typeof output === "string" ? output : Array.isArray(output) ? output.map(toContent) : JSON.stringify(output.json);
  return { type: "tool-result" as const, toolCallId: id, toolName: name, input: null, result, isError };
}

function toContent(part: Text | File): TextPart | ImagePart {
  if (part.type === "text") return { type: "text", text: part.text };
  if (isImage(part)) return { type: "image", mediaType: "image/png", data: part.kind === "base64" ? part.data : "" };
  // text and scans of a document: about one token for each eight characters of its base64
  return { type: "text", text: part.kind === "base64" ? " ".repeat(part.data.length / 2) : part.data };
}
