import type { MessageId, Usage } from "@skein/contracts";
import { addUsage, countField, keepNewest, objectField, stringField, takeStart } from "@skein/engine";
import type { BlockAddress } from "../lines/assistant-blocks.ts";
import type { LineContext } from "../lines/json-line-decoder.ts";
import type { JsonObject } from "../lines/parse-line.ts";
import { RecentSet } from "../lines/recent-set.ts";
import { toOpencodeUsage } from "./opencode-usage.ts";
import { showOutputLimit } from "./output-limit.ts";

const maxSeen = 64;
const maxTexts = 32;
const maxModelLength = 200;

interface OpenText {
  type: "text" | "thinking";
  /** Null until it says something: many stay empty. */
  address: BlockAddress | null;
}

interface CurrentMessage {
  /** opencode's own id, in the form that scopes tool use ids. */
  nativeId: string;
  id: MessageId;
  nextIndex: number;
  model: string | null;
  usage: Usage;
  /** Whether its last step came to its end. */
  isFinished: boolean;
  /** What the model is told of the conversation so far: nothing that it says to the person. */
  isSummary: boolean;
  texts: Map<string, OpenText>;
}

export interface ServeMessagesState {
  current: (Omit<CurrentMessage, "texts"> & { texts: [string, OpenText][] }) | null;
  seen: string[];
  usage: Usage | null;
}

/** The assistant messages of a session: one grows at a time, and those before it stay as they are. */
export class ServeMessages {
  #current: CurrentMessage | null;
  readonly #seen: RecentSet;
  #usage: Usage | null;

  constructor(state?: ServeMessagesState) {
    this.#current = state?.current ? { ...state.current, texts: new Map(state.current.texts) } : null;
    this.#seen = new RecentSet(maxSeen, state?.seen);
    this.#usage = state?.usage ?? null;
  }

  /** Of all steps so far; null before the first has ended. */
  get usage(): Usage | null {
    return this.#usage;
  }

  /** Whether the agent was stopped in the middle of a message. */
  get isCutOff(): boolean {
    return this.#current?.isFinished === false;
  }

  /** True when a message begins. The person's own are told too, and are none of these. */
  announce(info: JsonObject, { ids, toolUseId }: LineContext): boolean {
    const id = stringField(info, "id");
    if (id === undefined || stringField(info, "role") !== "assistant") return false;
    const nativeId = toolUseId(id);
    if (this.#current?.nativeId === nativeId && stringField(info, "finish") !== undefined) this.#current.isFinished = true;
    // A message that is complete when it is first heard of is one of an earlier execution.
    if (this.#seen.has(nativeId) || objectField(info, "time")?.completed !== undefined) return false;
    this.#seen.add(nativeId);
    const model = [stringField(info, "providerID"), stringField(info, "modelID")].filter((name) => name !== undefined).join("/");
    this.#current = {
      nativeId,
      id: ids.next(),
      nextIndex: 0,
      model: model === "" ? null : takeStart(model, maxModelLength),
      usage: {},
      isFinished: false,
      isSummary: info.summary === true,
      texts: new Map(),
    };
    return true;
  }

  /** The place of a new block; undefined where the part is not of the message that grows. */
  nextBlock(part: JsonObject, { toolUseId }: LineContext): BlockAddress | undefined {
    const current = this.#current;
    if (current?.nativeId !== toolUseId(stringField(part, "messageID") ?? "")) return undefined;
    current.nextIndex += 1;
    return { messageId: current.id, index: current.nextIndex - 1 };
  }

  /** A text as a whole, or with what was added to it. False when it has no text. */
  updateText(type: OpenText["type"], part: JsonObject, delta: string | undefined, context: LineContext): boolean {
    const text = stringField(part, "text");
    if (text === undefined) return false;
    const { current, key } = this.#find(part, context, "id");
    if (current === undefined || current.isSummary) return true;
    const open = current.texts.get(key) ?? { type, address: null };
    current.texts.set(key, open);
    keepNewest(current.texts, maxTexts);
    if (text === "") return true;
    const mode = delta === undefined || open.address === null ? "whole" : "delta";
    this.#say(open, { mode, text: mode === "whole" ? text : (delta ?? "") }, part, context);
    return true;
  }

  addDelta(properties: JsonObject, context: LineContext): void {
    const { current, key } = this.#find(properties, context, "partID");
    const open = current?.texts.get(key);
    const text = stringField(properties, "delta") ?? "";
    if (open === undefined || text === "" || stringField(properties, "field") !== "text") return;
    this.#say(open, { mode: "delta", text }, properties, context);
  }

  startStep(part: JsonObject, context: LineContext): void {
    const { current } = this.#find(part, context, "id");
    if (current !== undefined) current.isFinished = false;
  }

  finishStep(part: JsonObject, context: LineContext): void {
    const { current } = this.#find(part, context, "id");
    if (current === undefined) return;
    const step = toOpencodeUsage(part);
    this.#usage = addUsage(this.#usage ?? {}, step);
    current.usage = addUsage(current.usage, step);
    current.isFinished = true;
    const stopReason = stringField(part, "reason");
    context.emit({
      type: "message-end",
      messageId: current.id,
      ...(current.model === null ? {} : { model: current.model }),
      ...(stopReason === undefined ? {} : { stopReason }),
      usage: current.usage,
      at: context.at,
    });
    if (stopReason === "length") showOutputLimit(context);
  }

  /**
   * The model call failed and is made again. What was said stays, in opencode too, and its calls may have run: the new try
   * is a message of its own.
   */
  retry(status: JsonObject, { ids, at, emit }: LineContext): void {
    const reason = stringField(status, "message") ?? "The model call failed.";
    const current = this.#current;
    if (current === null) {
      emit({ type: "notice", messageId: ids.next(), text: reason, code: "agent-retry", at });
      return;
    }
    if (current.nextIndex > 0) {
      current.id = ids.next();
      current.nextIndex = 0;
      current.texts.clear();
    }
    const delayMs = Math.max(0, (countField(status, 0, "next") ?? at) - at);
    emit({ type: "retry", messageId: current.id, attempt: countField(status, 1, "attempt") ?? 1, delayMs, reason, at });
  }

  save(): ServeMessagesState {
    const current = this.#current;
    return {
      current: current && { ...current, texts: [...current.texts].map(([key, open]) => [key, { ...open }]) },
      seen: this.#seen.list(),
      usage: this.#usage,
    };
  }

  #find(part: JsonObject, { toolUseId }: LineContext, idField: string): { current: CurrentMessage | undefined; key: string } {
    const isCurrent = this.#current?.nativeId === toolUseId(stringField(part, "messageID") ?? "");
    return { current: isCurrent ? (this.#current ?? undefined) : undefined, key: toolUseId(stringField(part, idField) ?? "") };
  }

  #say(open: OpenText, said: { mode: "delta" | "whole"; text: string }, part: JsonObject, context: LineContext): void {
    open.address ??= this.nextBlock(part, context) ?? null;
    if (open.address !== null) context.emit({ type: open.type, ...said, ...open.address, at: context.at });
  }
}
