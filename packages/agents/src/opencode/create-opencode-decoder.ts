import { isSessionId, type JsonValue, type MessageId, type Usage } from "@skein/contracts";
import { type AgentDecoder, addUsage, countField, objectField, stringField } from "@skein/engine";
import { type DecoderState, readDecoderSnapshot } from "../lines/decoder-snapshot.ts";
import { createJsonLineDecoder, type DecoderOptions, type LineContext } from "../lines/json-line-decoder.ts";
import type { JsonObject } from "../lines/parse-line.ts";
import { toOpencodeError } from "./opencode-error.ts";
import { parseOpencodeTool, toOpencodeResult } from "./opencode-tool.ts";
import { toOpencodeUsage } from "./opencode-usage.ts";
import { showOutputLimit } from "./output-limit.ts";

const kind = { decoder: "opencode", version: 1 } as const;

interface OpenMessage {
  /** opencode's own id, in the form that scopes tool use ids. */
  nativeId: string;
  id: MessageId;
  nextIndex: number;
  usage: Usage;
}

type State = DecoderState & { sessionId: string | null; message: OpenMessage | null };

/**
 * `opencode run --format json`. A call appears only when it is over, with its start and end; there is no final event, so no
 * `end` either: the exit status tells how it went. API errors are retried in silence, one `step_start` each time.
 */
export function createOpencodeDecoder(options: DecoderOptions): AgentDecoder {
  const state = options.snapshot === undefined ? undefined : readDecoderSnapshot<State>(options.snapshot, kind);
  let sessionId = state?.sessionId ?? null;
  let message = state?.message ?? null;

  function read(value: JsonObject, context: LineContext): boolean {
    const type = stringField(value, "type");
    const part = objectField(value, "part");
    if (type === "error") {
      showSession(value, context);
      const error = toOpencodeError(objectField(value, "error"));
      context.emit({ type: "error", messageId: context.ids.next(), ...error, at: context.at });
      return true;
    }
    if (part === undefined) return false;
    const isKnown = readPart(type, part, context);
    if (isKnown) showSession(value, context);
    return isKnown;
  }

  function readPart(type: string | undefined, part: JsonObject, context: LineContext): boolean {
    const { at, emit } = context;
    switch (type) {
      case "step_start":
        return true;
      case "text":
      case "reasoning": {
        const text = stringField(part, "text");
        if (text === undefined) return false;
        emit({ type: type === "text" ? "text" : "thinking", mode: "whole", text, ...nextBlock(part, context), at });
        return true;
      }
      case "tool_use":
        return readTool(part, context);
      case "step_finish":
        readFinish(part, context);
        return true;
      default:
        return false;
    }
  }

  function showSession(value: JsonObject, { at, emit }: LineContext): void {
    const id = stringField(value, "sessionID");
    if (id === undefined || id === sessionId || !isSessionId(id)) return;
    sessionId = id;
    emit({ type: "session", sessionId: id, at });
  }

  function nextBlock(part: JsonObject, context: LineContext): { messageId: MessageId; index: number } {
    const open = openMessage(part, context);
    open.nextIndex += 1;
    return { messageId: open.id, index: open.nextIndex - 1 };
  }

  function openMessage(part: JsonObject, { ids, toolUseId }: LineContext): OpenMessage {
    const nativeId = toolUseId(stringField(part, "messageID") ?? "");
    if (message?.nativeId !== nativeId) message = { nativeId, id: ids.next(), nextIndex: 0, usage: {} };
    return message;
  }

  function readTool(part: JsonObject, context: LineContext): boolean {
    const { ids, at, toolUseId, emit } = context;
    const tool = parseOpencodeTool(part);
    if (tool === undefined) return false;
    const { callId, toolName, input, state: call } = tool;
    const id = callId === undefined ? {} : { toolUseId: toolUseId(callId) };
    const time = objectField(call, "time");
    const startedAt = countField(time, 0, "start") ?? at;
    emit({ type: "tool-use", ...id, toolName, input, ...nextBlock(part, context), at: startedAt });
    const endedAt = Math.max(startedAt, countField(time, 0, "end") ?? at);
    emit({ type: "tool-result", resultId: ids.next(), ...id, toolName, ...toOpencodeResult(tool), at: endedAt });
    return true;
  }

  function readFinish(part: JsonObject, context: LineContext): void {
    const open = openMessage(part, context);
    open.usage = addUsage(open.usage, toOpencodeUsage(part));
    const stopReason = stringField(part, "reason");
    context.emit({
      type: "message-end",
      messageId: open.id,
      ...(stopReason === undefined ? {} : { stopReason }),
      usage: open.usage,
      at: context.at,
    });
    if (stopReason === "length") showOutputLimit(context);
  }

  const save = () => ({ ...kind, sessionId, message: message && { ...message } }) as unknown as JsonValue;
  return createJsonLineDecoder(options, { read, save });
}
