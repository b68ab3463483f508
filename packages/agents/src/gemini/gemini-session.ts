import { type ImagePart, imagePartSchema, type JsonValue } from "@skein/contracts";
import { arrayField, asObject, objectField, stringField } from "@skein/engine";
import { type JsonObject, parseLine } from "../lines/parse-line.ts";
import { parseTime } from "../sessions/parse-time.ts";

/** The whole session is read at once: later lines change earlier messages. */
export const maxSessionBytes = 256 * 1024 * 1024;

export interface GeminiSession {
  id?: string;
  projectHash?: string;
  kind?: string;
  summary?: string;
  startedAt?: number;
  updatedAt?: number;
  messages: JsonObject[];
  /** Numbers of lines that are not JSON, from 1. */
  broken: number[];
  lines: number;
}

/**
 * A session file of Gemini CLI: one JSON document, or since 0.40 a log of changes. A message is written again when it has changed. After a
 * resume, the log has a list of all messages, without the calls of tools: messages that are known are kept as they are.
 */
export function parseGeminiSession(text: string): GeminiSession {
  const session: GeminiSession = { messages: [], broken: [], lines: 0 };
  const messages = new Map<string, JsonObject>();
  const whole = text.trimStart().startsWith("{\n") ? parseLine(text) : undefined;
  if (whole?.type === "object") {
    session.lines = 1;
    describe(session, whole.value);
    for (const message of arrayField(whole.value, "messages") ?? []) addMessage(messages, asObject(message), session.messages.length);
  } else {
    for (const [index, line] of text.split("\n").entries()) {
      const parsed = parseLine(line);
      if (parsed.type === "blank") continue;
      session.lines += 1;
      if (parsed.type === "unreadable") session.broken.push(index + 1);
      else applyLine(session, messages, parsed.value);
    }
  }
  session.messages = [...messages.values()];
  return session;
}

function applyLine(session: GeminiSession, messages: Map<string, JsonObject>, line: JsonObject): void {
  const set = objectField(line, "$set");
  const rewound = stringField(line, "$rewindTo");
  if (set !== undefined) {
    describe(session, set);
    for (const message of arrayField(set, "messages") ?? []) {
      const found = asObject(message);
      if (!messages.has(stringField(found, "id") ?? "")) addMessage(messages, found, messages.size);
    }
  } else if (rewound !== undefined) {
    const ids = [...messages.keys()];
    for (const id of ids.slice(ids.indexOf(rewound) < 0 ? ids.length : ids.indexOf(rewound))) messages.delete(id);
  } else if (line.sessionId !== undefined) describe(session, line);
  else addMessage(messages, line, messages.size);
}

function addMessage(messages: Map<string, JsonObject>, message: JsonObject | undefined, index: number): void {
  if (message?.type === undefined) return;
  messages.set(stringField(message, "id") ?? `message-${index}`, message);
}

function describe(session: GeminiSession, fields: JsonObject): void {
  session.id ??= stringField(fields, "sessionId") as string;
  session.projectHash ??= stringField(fields, "projectHash") as string;
  session.kind ??= stringField(fields, "kind") as string;
  session.startedAt ??= parseTime(fields.startTime) as number;
  const summary = stringField(fields, "summary");
  if (summary) session.summary = summary;
  const updatedAt = parseTime(fields.lastUpdated);
  if (updatedAt !== undefined) session.updatedAt = updatedAt;
}

const notByUser = /^\s*(?:<session_context>|This is the Gemini CLI\. We are setting up)/;

/** The user's own words and images in a message; undefined if it is not a user's. */
export function readGeminiPrompt(message: JsonObject): { text: string; images: ImagePart[] } | undefined {
  if (message.type !== "user") return undefined;
  const parts: readonly JsonValue[] =
    typeof message.content === "string" ? [{ text: message.content }] : (arrayField(message, "content") ?? []);
  const texts = parts.flatMap((part) => (objectField(part, "functionResponse") === undefined ? (stringField(part, "text") ?? []) : []));
  const text = texts.join("\n");
  const images = parts.flatMap((part) => toImage(objectField(part, "inlineData")) ?? []);
  if ((text === "" && images.length === 0) || notByUser.test(text)) return undefined;
  return { text, images };
}

function toImage(data: JsonObject | undefined): ImagePart | undefined {
  const image = imagePartSchema.safeParse({ type: "image", mediaType: data?.mimeType, data: data?.data });
  return image.success ? image.data : undefined;
}
