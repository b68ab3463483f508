import type { AgentOutput, JsonValue, NoticeText } from "@skein/contracts";
import { type AgentDecoder, objectField, stringField } from "@skein/engine";
import { type DecoderState, readDecoderSnapshot } from "../lines/decoder-snapshot.ts";
import { createJsonLineDecoder, type DecoderOptions, type LineContext } from "../lines/json-line-decoder.ts";
import type { JsonObject } from "../lines/parse-line.ts";
import { toOpencodeError } from "./opencode-error.ts";
import { ServeCalls, type ServeCallsState } from "./serve-calls.ts";
import { ServeMessages, type ServeMessagesState } from "./serve-messages.ts";
import { ServeSessions, type ServeSessionsState } from "./serve-sessions.ts";

const kind = { decoder: "opencode-serve", version: 1 } as const;

type End = Extract<AgentOutput, { type: "end" }>;

type State = DecoderState & {
  sessions: ServeSessionsState;
  messages: ServeMessagesState;
  calls: ServeCallsState;
  isWorking: boolean;
};

/**
 * The events of `opencode serve` (`GET /event`), one a line. The server tells of all its sessions: the first without a parent
 * is the one of this execution, and of its subagents only the questions count. A todo list needs no event of its own: the
 * call that wrote it shows it. Most other events are about the server itself, and are passed over.
 */
export function createOpencodeServeDecoder(options: DecoderOptions): AgentDecoder {
  const state = options.snapshot === undefined ? undefined : readDecoderSnapshot<State>(options.snapshot, kind);
  const sessions = new ServeSessions(state?.sessions);
  const messages = new ServeMessages(state?.messages);
  const calls = new ServeCalls(state?.calls);
  // An end is told twice or more (an error, then two kinds of idle): only the first after some work counts.
  let isWorking = state?.isWorking ?? false;

  function read(value: JsonObject, context: LineContext): boolean {
    const type = stringField(value, "type");
    if (type === undefined) return false;
    const properties = objectField(value, "properties") ?? {};
    switch (sessions.place(type, properties, context)) {
      case "own":
        return readOwn(type, properties, context);
      case "subagent":
        // Nobody else can answer, and without an answer the agent waits for ever.
        return isQuestion(type) ? calls.ask(properties, context) : true;
      case "none":
        if (type === "session.error") showServerError(properties, context);
        return true;
      case "other":
        return true;
    }
  }

  function readOwn(type: string, properties: JsonObject, context: LineContext): boolean {
    if (isQuestion(type)) return calls.ask(properties, context);
    switch (type) {
      case "message.updated":
        if (messages.announce(objectField(properties, "info") ?? {}, context)) isWorking = true;
        return true;
      case "message.part.updated": {
        const part = objectField(properties, "part");
        return part !== undefined && readPart(part, stringField(properties, "delta"), context);
      }
      case "message.part.delta":
        messages.addDelta(properties, context);
        return true;
      case "session.status":
        readStatus(objectField(properties, "status") ?? {}, context);
        return true;
      case "session.idle":
        endIdle(context);
        return true;
      case "session.error":
        endFailed(objectField(properties, "error"), context);
        return true;
      case "session.compacted": {
        const text: NoticeText = { code: "conversation-compacted", agent: "opencode", isAutomatic: true };
        context.emit({ type: "notice", messageId: context.ids.next(), text, code: "compacted", at: context.at });
        return true;
      }
      default:
        return true;
    }
  }

  function readPart(part: JsonObject, delta: string | undefined, context: LineContext): boolean {
    switch (stringField(part, "type")) {
      case "text":
        return messages.updateText("text", part, delta, context);
      case "reasoning":
        return messages.updateText("thinking", part, delta, context);
      case "tool":
        return calls.update(part, () => messages.nextBlock(part, context), context);
      case "step-start":
        messages.startStep(part, context);
        return true;
      case "step-finish":
        messages.finishStep(part, context);
        return true;
      default:
        return true;
    }
  }

  function readStatus(status: JsonObject, context: LineContext): void {
    switch (stringField(status, "type")) {
      case "busy":
        isWorking = true;
        return;
      case "retry":
        isWorking = true;
        messages.retry(status, context);
        return;
      case "idle":
        endIdle(context);
    }
  }

  /** Stopped while it waited for a retry, opencode is idle without a word; only its message was never finished. */
  function endIdle(context: LineContext): void {
    if (isWorking) end(messages.isCutOff ? { status: "cancelled" } : { status: "success" }, context);
  }

  function endFailed(error: JsonObject | undefined, context: LineContext): void {
    const { text, code } = toOpencodeError(error);
    end(code === "MessageAbortedError" ? { status: "cancelled" } : { status: "failed", reason: text }, context);
  }

  function end(how: Pick<End, "status" | "reason">, { at, emit }: LineContext): void {
    isWorking = false;
    const { usage } = messages;
    emit({ type: "end", ...how, ...(usage === null ? {} : { usage }), at });
  }

  const save = () =>
    ({ ...kind, sessions: sessions.save(), messages: messages.save(), calls: calls.save(), isWorking }) as unknown as JsonValue;
  return createJsonLineDecoder(options, { read, save });
}

/** `permission.updated` is what older versions call it. */
function isQuestion(type: string): boolean {
  return type === "permission.asked" || type === "permission.updated" || type === "question.asked";
}

/** An error of no session: the work goes on, or fails with an error of its own. */
function showServerError(properties: JsonObject, { ids, at, emit }: LineContext): void {
  const { text } = toOpencodeError(objectField(properties, "error"));
  emit({ type: "notice", messageId: ids.next(), text, code: "agent-error", at });
}
