import type { AssistantMessage, MessageId } from "@skein/contracts";
import type { ModelEvent } from "@skein/engine";
import { chooseCallId, type PendingCall, readArguments, toToolCall } from "./pending-call.ts";
import { TextCoalescer } from "./text-coalescer.ts";
import type { Turn } from "./turn.ts";

type TextBlock = AssistantMessage["content"] extends infer Content ? (Content extends (infer Part)[] ? Part : never) : never;
type BlockKey = { type: "text" | "thinking"; index: number };

/** Assembles one streamed assistant message, and shows it as it arrives. */
export class MessageAssembly {
  readonly calls: PendingCall[] = [];
  readonly #blocks = new Map<number, TextBlock>();
  readonly #turn: Turn;
  readonly #messageId: MessageId;
  readonly #coalescer: TextCoalescer<BlockKey>;

  constructor(turn: Turn, messageId: MessageId) {
    this.#turn = turn;
    this.#messageId = messageId;
    this.#coalescer = new TextCoalescer(
      {
        patienceMs: 30,
        maximumLength: 200,
        flush: ({ type, index }, text) => turn.emit({ type, mode: "delta", text, messageId, index, at: turn.now() }),
      },
      (a, b) => a.type === b.type && a.index === b.index,
    );
  }

  /** Nothing has been shown yet. */
  get isEmpty(): boolean {
    return this.#blocks.size === 0 && this.calls.length === 0;
  }

  add(event: Exclude<ModelEvent, { type: "end" }>): void {
    switch (event.type) {
      case "text-delta":
        this.#addText({ type: "text", index: event.index }, event.text);
        break;
      case "reasoning-delta":
        this.#addText({ type: "thinking", index: event.index }, event.text);
        break;
      case "reasoning-end":
        this.#endReasoning(event);
        break;
      case "tool-call":
        this.#addCall(event);
        break;
    }
  }

  /** Shows what is still buffered. */
  flush(): void {
    this.#coalescer.flush();
  }

  /** The message restarts: its text and its calls are discarded. */
  discard(): void {
    this.#coalescer.discard();
    for (const call of this.calls) {
      this.#turn.openCalls.delete(call.id);
      this.#turn.usedCallIds.delete(call.id);
    }
  }

  toBody(): AssistantMessage {
    const blocks = [...this.#blocks].sort(([a], [b]) => a - b).map(([, block]) => block);
    const [only, ...others] = blocks.filter((block) => block.type === "reasoning" || block.text !== "");
    const content = only === undefined ? "" : others.length === 0 && only.type === "text" ? only.text : [only, ...others];
    return { role: "assistant", content, ...(this.calls.length === 0 ? {} : { toolCalls: this.calls.map(toToolCall) }) };
  }

  #addText(key: BlockKey, text: string): void {
    const block = this.#blocks.get(key.index);
    if (block !== undefined) block.text += text;
    else if (key.type === "text") this.#blocks.set(key.index, { type: "text", text });
    else this.#blocks.set(key.index, { type: "reasoning", text, model: this.#turn.model.id });
    this.#coalescer.push(key, text);
  }

  #endReasoning({ index, signature, providerData }: Extract<ModelEvent, { type: "reasoning-end" }>): void {
    if (signature === undefined && providerData === undefined) return;
    const extra = { ...(signature === undefined ? {} : { signature }), ...(providerData === undefined ? {} : { providerData }) };
    const block = this.#blocks.get(index);
    const text = block?.type === "reasoning" ? block.text : "";
    this.#blocks.set(index, { type: "reasoning", text, model: this.#turn.model.id, ...extra });
    this.flush();
    this.#turn.emit({ type: "thinking", mode: "delta", text: "", messageId: this.#messageId, index, ...extra, at: this.#turn.now() });
  }

  #addCall(event: Extract<ModelEvent, { type: "tool-call" }>): void {
    const { usedCallIds, openCalls, emit, now } = this.#turn;
    const id = chooseCallId(event.id, usedCallIds);
    usedCallIds.add(id);
    openCalls.set(id, event.name);
    const { input, problem } = readArguments(event.arguments);
    const { name, providerData } = event;
    this.calls.push({ id, name, arguments: event.arguments, input, problem, providerData });
    this.flush();
    emit({
      type: "tool-use",
      toolUseId: id,
      toolName: name,
      input,
      ...(JSON.stringify(input) === event.arguments ? {} : { rawInput: event.arguments }),
      ...(providerData === undefined ? {} : { providerData }),
      messageId: this.#messageId,
      index: event.index,
      at: now(),
    });
  }
}
