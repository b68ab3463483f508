import { type ImagePart, imagePartSchema, type JsonValue, type Usage } from "@skein/contracts";
import { addUsage, countField, numberField, objectField, stringField } from "@skein/engine";
import { toOpencodeEndState, toOpencodeStructured } from "../acp/opencode-result.ts";
import type { JsonObject } from "../lines/parse-line.ts";
import { toWholeUsage } from "../lines/whole-usage.ts";
import { RecordedTurn } from "../sessions/recorded-turn.ts";
import type { ReadFrom, SessionSink } from "../sessions/session-source.ts";
import type { OpencodeStore, StoredRecord } from "./opencode-store.ts";

/** Subagents may start subagents. */
const maxDepth = 8;

interface Reading {
  store: OpencodeStore;
  sink: SessionSink;
  onBroken: (file: string) => void;
}

/** Reads a session of opencode. Always whole, because messages change; only turns from `from` on are passed on. */
export async function readOpencodeSession(
  sessionId: string,
  { store, sink, from }: { store: OpencodeStore; sink: SessionSink; from?: ReadFrom | undefined },
): Promise<void> {
  const onBroken = (file: string) => sink.problem({ code: "unreadable-line", file });
  const reading: Reading = { store, sink, onBroken };
  const messages = await store.listMessages(sessionId, onBroken);
  const start = from === undefined ? 0 : messages.findIndex(({ id }) => id === from.mark);
  if (start < 0) sink.restart();
  let turn: RecordedTurn | undefined;
  let usage: Usage = {};
  for (const [index, message] of messages.entries()) {
    if (index < start) continue;
    const waiting = sink.pause();
    if (waiting !== undefined) await waiting;
    sink.countLine();
    const at = readTime(message.data, "created") ?? 0;
    const parts = await store.listParts(message.id, onBroken);
    for (const _ of parts) sink.countLine();
    if (message.data.role === "user") {
      const prompt = readPrompt(parts);
      if (prompt === undefined) continue;
      turn = new RecordedTurn(sink.beginTurn({ key: message.id, position: index, mark: message.id, at, ...prompt }), sink);
      usage = {};
    } else if (turn !== undefined) {
      usage = addUsage(usage, await readAnswer(reading, turn, { message, parts, at, depth: 0 }));
      const endedAt = readTime(message.data, "completed") ?? at;
      const failure = readFailure(message.data);
      if (failure === undefined) sink.endTurn({ status: "success", usage }, endedAt);
      else if (failure.isAbort) sink.endTurn({ status: "cancelled", usage }, endedAt);
      else {
        turn.error(failure.text, { message: message.id, at: endedAt });
        sink.endTurn({ status: "failed", reason: failure.text, usage }, endedAt);
      }
    }
  }
}

function readFailure(message: JsonObject): { text: string; isAbort: boolean } | undefined {
  const error = objectField(message, "error");
  if (error === undefined) return undefined;
  const name = stringField(error, "name") ?? "Error";
  const text = stringField(objectField(error, "data"), "message") ?? name;
  return { text, isAbort: name === "MessageAbortedError" };
}

/** Returns what the message and its subagents have used. */
async function readAnswer(
  reading: Reading,
  turn: RecordedTurn,
  input: { message: StoredRecord; parts: readonly StoredRecord[]; at: number; parent?: string; depth: number },
): Promise<Usage> {
  const { message, parts, parent } = input;
  let usage = toUsage(message.data);
  let at = input.at;
  for (const { id, data } of parts) {
    at = readTime(data, "start") ?? at;
    const place = { message: message.id, at, parent };
    switch (data.type) {
      case "text":
        if (data.synthetic !== true && data.ignored !== true) turn.text(stringField(data, "text") ?? "", place);
        break;
      case "reasoning":
        turn.thinking(stringField(data, "text") ?? "", place);
        break;
      case "tool":
        usage = addUsage(usage, await readTool(reading, turn, { id, data, place, depth: input.depth }));
        break;
      case "compaction":
        turn.notice(
          { text: { code: "conversation-compacted", agent: "opencode", isAutomatic: data.auto !== false }, code: "compacted" },
          { message: id, at },
        );
        break;
      default:
        break;
    }
  }
  const model = stringField(message.data, "modelID");
  const endedAt = readTime(message.data, "completed") ?? at;
  if (parent === undefined) turn.endMessage({ message: message.id, at: endedAt, model, usage: toUsage(message.data) });
  return usage;
}

async function readTool(
  reading: Reading,
  turn: RecordedTurn,
  { id, data, place, depth }: StoredRecord & { place: { message: string; at: number; parent: string | undefined }; depth: number },
): Promise<Usage> {
  const callId = stringField(data, "callID") ?? id;
  const toolName = stringField(data, "tool") ?? "tool";
  const state = objectField(data, "state");
  const status = stringField(state, "status");
  const metadata = objectField(state, "metadata");
  const startedAt = readTime(state, "start") ?? place.at;
  turn.call({ id: callId, toolName, input: state?.input ?? {} }, { ...place, at: startedAt });
  const usage = await readSubagent(reading, turn, { sessionId: stringField(metadata, "sessionId"), parent: callId, depth, startedAt });
  const at = Math.max(startedAt, readTime(state, "end") ?? startedAt);
  if (status === "completed") {
    const output = stringField(state, "output") ?? "";
    const structured: JsonValue = toOpencodeStructured(toolName, { output, metadata });
    const isError = toolName === "bash" && (numberField(metadata, "exit") ?? 0) !== 0;
    turn.result({ id: callId, toolName, output: output === "(no output)" ? "" : output, isError, structured, at });
  } else if (status === "error") {
    const output = stringField(state, "error") ?? "";
    turn.result({ id: callId, toolName, output, isError: true, state: toOpencodeEndState(output, metadata), at });
  }
  return usage;
}

/** The session of a subagent is shown inside of the call that started it. */
async function readSubagent(
  reading: Reading,
  turn: RecordedTurn,
  { sessionId, parent, depth, startedAt }: { sessionId: string | undefined; parent: string; depth: number; startedAt: number },
): Promise<Usage> {
  let usage: Usage = {};
  if (sessionId === undefined || depth >= maxDepth) return usage;
  for (const message of await reading.store.listMessages(sessionId, reading.onBroken)) {
    reading.sink.countLine();
    if (message.data.role !== "assistant") continue;
    const parts = await reading.store.listParts(message.id, reading.onBroken);
    for (const _ of parts) reading.sink.countLine();
    const at = readTime(message.data, "created") ?? startedAt;
    usage = addUsage(usage, await readAnswer(reading, turn, { message, parts, at, parent, depth: depth + 1 }));
  }
  return usage;
}

/** Parts that opencode adds (files that it has read) are not the user's words; a file that is an image is. */
function readPrompt(parts: readonly StoredRecord[]): { text: string; images: ImagePart[] } | undefined {
  const texts = parts.flatMap(({ data }) => (data.type === "text" && data.synthetic !== true ? (stringField(data, "text") ?? []) : []));
  const images = parts.flatMap(({ data }) => (data.type === "file" ? (toImage(data) ?? []) : []));
  return texts.length === 0 && images.length === 0 ? undefined : { text: texts.join("\n"), images };
}

function toImage(data: JsonObject): ImagePart | undefined {
  const [, mediaType, base64] = /^data:([\w/]+);base64,([A-Za-z0-9+/=]+)$/.exec(stringField(data, "url") ?? "") ?? [];
  const image = imagePartSchema.safeParse({ type: "image", mediaType, data: base64 });
  return image.success ? image.data : undefined;
}

function readTime(data: JsonValue | undefined, name: string): number | undefined {
  const time = numberField(objectField(data, "time"), name);
  return time === undefined || time < 0 ? undefined : Math.round(time);
}

function toUsage(message: JsonObject): Usage {
  const tokens = objectField(message, "tokens");
  const cache = objectField(tokens, "cache");
  const usage: Usage = {};
  const fields = {
    inputTokens: countField(tokens, 0, "input"),
    outputTokens: countField(tokens, 0, "output"),
    reasoningTokens: countField(tokens, 0, "reasoning"),
    cacheReadTokens: countField(cache, 0, "read"),
    cacheWriteTokens: countField(cache, 0, "write"),
  };
  for (const [name, count] of Object.entries(fields)) if (count !== undefined) usage[name as keyof typeof fields] = count;
  const costUsd = numberField(message, "cost");
  // 0 also for models whose price is unknown
  return { ...toWholeUsage(usage), ...(costUsd === undefined || costUsd <= 0 ? {} : { costUsd }) };
}
