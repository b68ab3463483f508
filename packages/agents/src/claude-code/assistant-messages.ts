import type { ExecutionId, JsonValue, MessageId, Usage } from "@skein/contracts";
import { asObject, countField, objectField, RecentMap, stringField } from "@skein/engine";
import type { LineContext } from "../lines/json-line-decoder.ts";
import type { JsonObject } from "../lines/parse-line.ts";
import { type BlockBase, toBlockOutput } from "./block-output.ts";
import { notLoggedIn } from "./claude-code-login.ts";
import type { LevelState } from "./decoder-state.ts";
import { toMessageId } from "./message-id.ts";
import { toRequestUsage } from "./result-line.ts";

/** A request of the agent or of a subagent. */
export interface ReportedRequest {
  usage: Usage;
  model: string | undefined;
}

/** With more concurrent subagents than this, the blocks of the oldest are dropped. */
const maxLevels = 64;
/** The model name of messages that Claude Code writes itself. */
const syntheticModel = "<synthetic>";

/**
 * Assistant lines and the stream of partial messages. Each line has one block, and several lines share a message id. With partial
 * messages, the deltas of a block come first; the complete block has their index and replaces them.
 */
export class AssistantMessages {
  readonly #executionId: ExecutionId;
  readonly #levels: RecentMap<string, LevelState>;
  readonly #onUnknown: (kind: string, context: LineContext) => void;
  readonly #onRequest: (request: ReportedRequest, context: LineContext) => void;

  /** `onRequest`: a request to a model is complete, with what it has used. */
  constructor(
    executionId: ExecutionId,
    levels: [string, LevelState][],
    {
      onUnknown,
      onRequest,
    }: {
      onUnknown(kind: string, context: LineContext): void;
      onRequest(request: ReportedRequest, context: LineContext): void;
    },
  ) {
    this.#executionId = executionId;
    this.#levels = new RecentMap(
      maxLevels,
      levels.map(([level, state]) => [level, { ...state }]),
    );
    this.#onUnknown = onUnknown;
    this.#onRequest = onRequest;
  }

  addLine(line: JsonObject, context: LineContext): boolean {
    const message = asObject(line.message);
    if (message === undefined) return false;
    const content = typeof message.content === "string" ? [{ type: "text", text: message.content }] : message.content;
    if (!Array.isArray(content)) return false;
    const nativeId = stringField(message, "id");
    if (isApiError(line)) {
      this.#showApiError(line, content, context);
      return true;
    }
    const parent = readParent(line);
    const level = this.#enter(parent ?? "", nativeId, message, context);
    const base = toBase(level.messageId, parent, context.at);
    for (const block of content) {
      const index = content.length === 1 && level.openIndex !== null ? level.openIndex : level.nextIndex;
      level.nextIndex = Math.max(level.nextIndex, index + 1);
      const output = toBlockOutput(block, { ...base, index }, context);
      if (output === undefined) this.#onUnknown(`assistant/${stringField(block, "type") ?? ""}`, context);
      else context.emit(output);
      if (stringField(block, "signature")) level.hasSignature = true;
    }
    level.hasUnconfirmedText = false;
    return true;
  }

  addStreamEvent(line: JsonObject, context: LineContext): boolean {
    const event = asObject(line.event);
    if (event === undefined) return false;
    const parent = readParent(line);
    const level = this.#levels.get(parent ?? "");
    switch (event.type) {
      case "message_start": {
        const message = objectField(event, "message");
        const nativeId = stringField(message, "id");
        if (nativeId === undefined) return false;
        const entered = this.#enter(parent ?? "", nativeId, message, context);
        entered.stream = "open";
        entered.usage = toRequestUsage(message?.usage);
        return true;
      }
      case "content_block_start":
        if (level !== undefined) level.openIndex = countField(event, 0, "index") ?? null;
        return true;
      case "content_block_delta":
        if (level !== undefined) addDelta(level, event, parent, context);
        return true;
      case "content_block_stop":
        if (level !== undefined) level.openIndex = null;
        return true;
      case "message_delta": {
        const stopReason = stringField(objectField(event, "delta"), "stop_reason");
        if (level !== undefined && stopReason !== undefined) level.stopReason = stopReason;
        // what the beginning has reported may be left out
        if (level !== undefined) level.usage = { ...level.usage, ...toRequestUsage(event.usage) };
        return true;
      }
      case "message_stop":
        if (level !== undefined) {
          takeBack(level, countField(asObject(line.abandoned_blocks), 0, "from_block_index"), parent, context);
          level.stream = "stopped";
          level.openIndex = null;
          const { usage = {}, model } = level;
          level.usage = {};
          if (Object.keys(usage).length > 0) this.#onRequest({ usage, model }, context);
          endMessage(level, context);
        }
        return true;
      default:
        return true;
    }
  }

  /** The agent has returned its result: none of its messages is open any more. */
  endTop(context: LineContext): void {
    const level = this.#levels.get("");
    if (level !== undefined) endMessage(level, context);
  }

  /** A subagent has returned its result: it sends nothing more. */
  forget(toolUseId: string): void {
    if (toolUseId !== "") this.#levels.delete(toolUseId);
  }

  save(): [string, LevelState][] {
    return this.#levels.entries().map(([level, state]) => [level, { ...state }]);
  }

  #enter(key: string, nativeId: string | undefined, message: JsonObject | undefined, context: LineContext): LevelState {
    const before = this.#levels.get(key);
    if (before !== undefined && nativeId !== undefined && before.nativeId === nativeId) return before;
    const messageId = nativeId === undefined ? context.ids.next() : toMessageId(this.#executionId, nativeId);
    const model = stringField(message, "model");
    const isSynthetic = model === syntheticModel;
    if (before !== undefined) {
      // The stream broke and the request was repeated: its partial text must not remain next to the new one.
      if (before.stream === "open" && before.hasUnconfirmedText && before.nextIndex === 0 && !isSynthetic) voidMessage(before, context);
      else endMessage(before, context);
    }
    const level: LevelState = {
      nativeId: nativeId ?? null,
      messageId,
      ...(model === undefined || isSynthetic ? {} : { model: `anthropic/${model}` }),
      nextIndex: 0,
      stream: "none",
      openIndex: null,
      hasUnconfirmedText: false,
      hasSignature: false,
      ended: false,
    };
    this.#levels.set(key, level);
    return level;
  }

  #showApiError(line: JsonObject, content: JsonValue[], { ids, at, emit }: LineContext): void {
    const text = content.map((block) => stringField(block, "text") ?? "").join("\n");
    const code = stringField(line, "error");
    const hint = code === "authentication_failed" ? notLoggedIn : undefined;
    emit({
      type: "error",
      messageId: ids.next(),
      text,
      ...(code === undefined ? {} : { code }),
      ...(hint === undefined ? {} : { hint }),
      at,
    });
  }
}

function addDelta(level: LevelState, event: JsonObject, parent: string | undefined, { at, emit }: LineContext): void {
  const index = countField(event, 0, "index");
  // A block that arrived complete is final: deltas that follow would duplicate it.
  if (index === undefined || index < level.nextIndex) return;
  const delta = objectField(event, "delta");
  const base = { mode: "delta" as const, index, ...toBase(level.messageId, parent, at) };
  if (delta?.type === "text_delta" && typeof delta.text === "string") emit({ type: "text", text: delta.text, ...base });
  else if (delta?.type === "thinking_delta" && typeof delta.thinking === "string") {
    emit({ type: "thinking", text: delta.thinking, ...base });
  } else return;
  level.hasUnconfirmedText = true;
  level.partial = { index, type: delta.type === "text_delta" ? "text" : "thinking" };
}

/** A broken stream discards blocks from `from` on. Complete blocks before it stay, and the agent resumes after them. */
function takeBack(level: LevelState, from: number | undefined, parent: string | undefined, context: LineContext): void {
  if (from === undefined || !level.hasUnconfirmedText) return;
  level.hasUnconfirmedText = false;
  const { partial } = level;
  if (from === 0 && level.nextIndex === 0) voidMessage(level, context);
  else if (partial !== undefined && partial.index >= from) {
    context.emit({ ...partial, mode: "whole", text: "", ...toBase(level.messageId, parent, context.at) });
  }
}

/** The partial text of a message must not remain next to its replacement. */
function voidMessage({ messageId }: LevelState, { at, emit }: LineContext): void {
  const reason = "The answer broke off and was asked for again.";
  emit({ type: "retry", messageId, attempt: 1, delayMs: 0, reason, at });
}

/** Only if the end carries data: a signature is valid only for its model. */
function endMessage(level: LevelState, { at, emit }: LineContext): void {
  if (level.ended || !level.hasSignature) return;
  level.ended = true;
  emit({
    type: "message-end",
    messageId: level.messageId,
    ...(level.model === undefined ? {} : { model: level.model }),
    ...(level.stopReason === undefined ? {} : { stopReason: level.stopReason }),
    at,
  });
}

function isApiError(line: JsonObject): boolean {
  return line.is_api_error_message === true || line.isApiErrorMessage === true;
}

function readParent(line: JsonObject): string | undefined {
  const parent = line.parent_tool_use_id;
  return typeof parent === "string" && parent !== "" ? parent : undefined;
}

function toBase(messageId: MessageId, parent: string | undefined, at: number): Omit<BlockBase, "index"> {
  return parent === undefined ? { messageId, at } : { messageId, parentToolUseId: parent, at };
}
