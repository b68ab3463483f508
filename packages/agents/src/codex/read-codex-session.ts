import type { ExecutionId, ImagePart, Usage } from "@skein/contracts";
import { arrayField, objectField, RecentMap, stringField } from "@skein/engine";
import { LineScope } from "../lines/json-line-decoder.ts";
import { type JsonObject, parseLine } from "../lines/parse-line.ts";
import type { BrokenLines } from "../sessions/broken-lines.ts";
import { parseTime } from "../sessions/parse-time.ts";
import { readSessionFile } from "../sessions/read-session-file.ts";
import type { FoundSession, ReadFrom, SessionSink } from "../sessions/session-source.ts";
import { type ModelCall, readModelCall, toCalledItem } from "./codex-calls.ts";
import { type CodexItem, toCodexItem } from "./codex-item.ts";
import { CodexItems } from "./codex-items.ts";
import { subtractUsage, toCodexUsage } from "./codex-usage.ts";
import { readCodexImages, readCodexUserMessage } from "./codex-user-message.ts";
import { isToolItem, toAppServerItem } from "./rollout-item.ts";

const maxCalls = 1000;

interface OpenTurn {
  executionId: ExecutionId;
  scope: LineScope;
  items: CodexItems;
  before: Usage;
}

/**
 * Reads a session file ("rollout"). It has the events that clients get and the items that the model gets; most of what happened is in it
 * twice. Events count; a call without an event is shown from the model's call and its result.
 */
export async function readCodexSession(
  session: FoundSession,
  { sink, from }: { sink: SessionSink; from?: ReadFrom | undefined },
): Promise<void> {
  const [file = ""] = session.files;
  const total = from === undefined ? undefined : parseMark(from.mark);
  const resume = from && total && { position: from.position, isTurn, begin: () => new CodexSessionReading(sink, total) };
  return readSessionFile(file, { sink, resume, begin: () => new CodexSessionReading(sink, {}) });
}

function isTurn(text: string): boolean {
  const parsed = parseLine(text);
  return parsed.type === "object" && readCodexUserMessage(parsed.value) !== undefined;
}

function parseMark(mark: string): Usage | undefined {
  const parsed = parseLine(mark);
  return parsed.type === "object" ? toCodexUsage(parsed.value) : undefined;
}

class CodexSessionReading {
  readonly #sink: SessionSink;
  readonly #calls = new RecentMap<string, ModelCall>(maxCalls);
  /** Of the whole session. */
  #total: Usage;
  #turn: OpenTurn | undefined;
  #images: ImagePart[] = [];
  #at = 0;

  constructor(sink: SessionSink, total: Usage) {
    this.#sink = sink;
    this.#total = total;
  }

  readLine(line: { text: string; offset: number; number: number }, broken: BrokenLines): void {
    this.#sink.countLine();
    const parsed = parseLine(line.text);
    if (parsed.type === "unreadable") broken.add(line.number);
    if (parsed.type !== "object") return;
    const { value } = parsed;
    this.#at = parseTime(value.timestamp) ?? this.#at;
    const user = readCodexUserMessage(value);
    if (user !== undefined) {
      this.#begin(user, line.offset);
      return;
    }
    this.#turn?.scope.enter({ offset: line.offset, at: this.#at });
    const payload = objectField(value, "payload");
    switch (value.type) {
      case "event_msg":
        if (payload !== undefined) this.#readEvent(payload);
        return;
      case "response_item":
        this.#images = [...this.#images, ...readCodexImages(value)];
        if (payload !== undefined) this.#readItem(payload);
        return;
      case "compacted":
        this.#complete("compaction", toCodexItem({ type: "context_compaction" }));
        return;
      case "session_meta":
      case "turn_context":
        return;
      default:
        // the first versions have items without an envelope
        if (value.payload === undefined) this.#readBareItem(value);
    }
  }

  #begin({ text, images }: { text: string; images: ImagePart[] }, position: number): void {
    const { reasoningTokens, cacheReadTokens, cacheWriteTokens, ...tokens } = this.#total;
    const others = { reasoningOutputTokens: reasoningTokens, cachedInputTokens: cacheReadTokens, cacheWriteInputTokens: cacheWriteTokens };
    const mark = JSON.stringify({ ...tokens, ...others });
    const all = images.length > 0 ? images : this.#images;
    this.#images = [];
    const executionId = this.#sink.beginTurn({ key: `at-${position}`, position, mark, at: this.#at, text, images: all });
    const scope = new LineScope(executionId);
    scope.enter({ offset: position, at: this.#at });
    this.#turn = { executionId, scope, items: new CodexItems(), before: this.#total };
  }

  #readEvent(event: JsonObject): void {
    switch (event.type) {
      case "agent_message":
        this.#complete("text", toCodexItem({ type: "agent_message", text: stringField(event, "message") ?? "" }));
        return;
      case "agent_reasoning":
        this.#complete("thinking", toCodexItem({ type: "reasoning", text: stringField(event, "text") ?? "" }));
        return;
      case "item_completed": {
        const raw = objectField(event, "item");
        if (raw !== undefined) this.#readCompleted(raw, parseTime(event.started_at_ms));
        return;
      }
      case "token_count": {
        const total = objectField(objectField(event, "info"), "total_token_usage");
        if (total === undefined || this.#turn === undefined) return;
        this.#total = toCodexUsage(total);
        this.#sink.endTurn({ usage: subtractUsage(this.#total, this.#turn.before) }, this.#at);
        return;
      }
      case "task_complete":
      case "turn_complete":
        this.#sink.endTurn({ status: "success" }, this.#at);
        return;
      case "turn_aborted":
        this.#sink.endTurn({ status: stringField(event, "reason") === "interrupted" ? "cancelled" : "interrupted" }, this.#at);
        return;
      case "error":
        this.#sink.endTurn({ status: "failed", reason: stringField(event, "message") ?? "" }, this.#at);
        return;
      default:
        return;
    }
  }

  #readCompleted(raw: JsonObject, startedAt: number | undefined): void {
    const id = stringField(raw, "id") ?? "";
    const item = toCodexItem(toAppServerItem(raw));
    const call = this.#calls.get(id);
    this.#calls.delete(id);
    if (item.type === "tool" && isToolItem(raw)) this.#start(id, item, call?.at ?? startedAt ?? this.#at);
    this.#complete(id, item);
  }

  #readItem(item: JsonObject): void {
    const made = readModelCall(item, this.#at);
    if (made !== undefined) {
      this.#calls.set(made.id, made.call);
      return;
    }
    const id = stringField(item, "call_id") ?? "";
    const call = this.#calls.get(id);
    if (call === undefined || !String(item.type).endsWith("_output")) return;
    this.#calls.delete(id);
    const shown = toCalledItem(call, item.output);
    const plan = call.name === "update_plan" ? arrayField(call.input, "plan") : undefined;
    const hasFailed = shown.type === "tool" && shown.result.isError;
    if (plan !== undefined && this.#turn !== undefined && !hasFailed) {
      this.#turn.items.showPlan(plan, this.#turn.scope);
      this.#flush();
      return;
    }
    this.#start(id, shown, call.at);
    this.#complete(id, shown);
  }

  #readBareItem(item: JsonObject): void {
    if (item.type === "message" && item.role === "assistant") {
      const text = (arrayField(item, "content") ?? []).flatMap((part) => stringField(part, "text") ?? []).join("\n");
      this.#complete(stringField(item, "id") ?? "text", { type: "text", text });
      this.#sink.endTurn({ status: "success" }, this.#at);
    } else if (item.type === "reasoning") {
      const text = (arrayField(item, "summary") ?? []).flatMap((part) => stringField(part, "text") ?? []).join("\n\n");
      this.#complete(stringField(item, "id") ?? "thinking", { type: "thinking", text });
    } else this.#readItem(item);
  }

  #start(id: string, item: CodexItem, at: number): void {
    const turn = this.#turn;
    if (turn === undefined) return;
    const now = turn.scope.at;
    turn.scope.at = Math.min(at, now);
    turn.items.start(id, item, turn.scope);
    turn.scope.at = now;
  }

  #complete(id: string, item: CodexItem): void {
    const turn = this.#turn;
    if (turn === undefined) return;
    turn.items.complete(id, item, turn.scope);
    this.#flush();
  }

  #flush(): void {
    for (const output of this.#turn?.scope.take() ?? []) this.#sink.output(output);
  }
}
