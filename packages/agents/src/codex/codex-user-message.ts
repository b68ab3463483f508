import { type ImagePart, imagePartSchema, type JsonValue } from "@skein/contracts";
import { arrayField, objectField, stringField } from "@skein/engine";
import type { JsonObject } from "../lines/parse-line.ts";

/** Written by Codex in the name of the user. */
const notByUser =
  /^\s*(?:<environment_context>|<user_instructions>|<permissions instructions>|<turn_aborted>|<skill>|# AGENTS\.md instructions)/;

/** A message of the user in a session file: as the event that versions from 0.30 on record, or as an item of the first versions. */
export function readCodexUserMessage(line: JsonObject): { text: string; images: ImagePart[] } | undefined {
  const payload = objectField(line, "payload");
  if (line.type === "event_msg") {
    if (stringField(payload, "type") === "user_message")
      return toMessage(stringField(payload, "message") ?? "", arrayField(payload, "images"));
    const item = objectField(payload, "item");
    if (stringField(payload, "type") !== "item_completed" || stringField(item, "type") !== "UserMessage") return undefined;
    return toMessage(joinTexts(item), arrayField(item, "content"));
  }
  // without an envelope there are no events
  if (line.type !== "message" || line.role !== "user") return undefined;
  return toMessage(joinTexts(line), arrayField(line, "content"));
}

/** The images of a user's message as the model got them: events name only their files. */
export function readCodexImages(line: JsonObject): ImagePart[] {
  const payload = objectField(line, "payload");
  if (line.type !== "response_item" || payload?.type !== "message" || payload.role !== "user") return [];
  return (arrayField(payload, "content") ?? []).flatMap((part) => toImage(part) ?? []);
}

function toMessage(text: string, parts: readonly JsonValue[] | undefined): { text: string; images: ImagePart[] } | undefined {
  if (notByUser.test(text)) return undefined;
  const images = (parts ?? []).flatMap((part) => toImage(part) ?? []);
  return text.trim() === "" && images.length === 0 && (parts ?? []).length === 0 ? undefined : { text, images };
}

function joinTexts(message: JsonObject | undefined): string {
  return (arrayField(message, "content") ?? [])
    .flatMap((part) => (stringField(part, "type")?.endsWith("text") ? (stringField(part, "text") ?? []) : []))
    .join("\n");
}

const dataUrl = /^data:(image\/[a-z]+);base64,([A-Za-z0-9+/=]+)$/;

function toImage(part: JsonValue): ImagePart | undefined {
  const url = typeof part === "string" ? part : stringField(part, "image_url", "url");
  const [, mediaType, data] = dataUrl.exec(url ?? "") ?? [];
  const image = imagePartSchema.safeParse({ type: "image", mediaType, data });
  return image.success ? image.data : undefined;
}
