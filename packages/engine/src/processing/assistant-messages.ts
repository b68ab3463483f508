import type { AgentOutput, MessageId } from "@skein/contracts";
import { RecentMap } from "../collections/recent-map.ts";
import { addTextBlock, createBlockId, findTextBlock } from "./blocks.ts";
import { toWritableJson } from "./bounded-json.ts";
import type { ProcessedStep } from "./message-processor.ts";
import type { OpenCall, OpenMessage, ProcessorCore, ProcessorState, ProtocolSlot, TextBlock, ToolBlock } from "./processor-state.ts";
import { countCalls, hasContent, listCalls, toAssistantDraft, toMissingResultDraft } from "./protocol-drafts.ts";
import type { Serials } from "./serials.ts";
import type { StandaloneMessages } from "./standalone-messages.ts";
import { toTextMessage } from "./text-message.ts";
import type { ProcessorContext, ToolCalls } from "./tool-calls.ts";
import { TrackedMap } from "./tracked-map.ts";

const maxRememberedIds = 64;
const maxLevels = 32;

type Output<Type extends AgentOutput["type"]> = Extract<AgentOutput, { type: Type }>;

/**
 * The assistant messages that still grow. Each block is shown as its own conversation message; together they are one protocol message,
 * sent when a block is complete, with the results of its calls at the positions that follow it (P2).
 *
 * A message is closed when the next one of its level begins. Later blocks for it become a message of their own, `<id>-c1`, so that what
 * has been stored keeps its position.
 *
 * A retry voids the content of its message so far. It is removed from the protocol view at once. On the screen it stays until the new
 * stream produces output: blocks with the same index are reused under the same id, other text becomes empty, and a card that no new use
 * takes over by the end of the message is interrupted. So no text appears twice, no call is revived, and if no new stream comes, what was
 * shown is kept as interrupted.
 */
export class AssistantMessages {
  readonly #context: ProcessorContext;
  readonly #calls: ToolCalls;
  readonly #standalone: StandaloneMessages;
  readonly #open: TrackedMap<OpenMessage>;
  readonly #serials: Serials;
  readonly #closed: RecentMap<MessageId, number>;
  #nextPosition: number;

  constructor(
    context: ProcessorContext,
    parts: { calls: ToolCalls; standalone: StandaloneMessages; serials: Serials },
    state?: ProcessorState,
  ) {
    this.#context = context;
    this.#calls = parts.calls;
    this.#standalone = parts.standalone;
    this.#serials = parts.serials;
    const areNew = state?.areEntriesNew === true;
    this.#open = new TrackedMap(
      state?.open.map((message) => [message.level, message] as const),
      { areNew },
    );
    this.#closed = new RecentMap(maxRememberedIds, state?.closed);
    this.#nextPosition = state?.nextPosition ?? 1;
  }

  addText(output: Output<"text" | "thinking">, step: ProcessedStep): void {
    const message = this.#enter(output, step);
    this.#open.touch(message.level);
    const block = findTextBlock(message, output) ?? addTextBlock(message, output);
    for (const other of message.blocks) {
      if (other === block || other.kind === "tool") continue;
      if (other.streaming) this.#closeText(other, step);
      // The new stream has begun: text of the old one must not be mixed with this block.
      else if (other.isVoid) this.#blank(other, step);
    }
    block.kind = output.type;
    block.text = output.mode === "whole" || block.isVoid ? output.text : block.text + output.text;
    block.isVoid = false;
    block.streaming = output.mode === "delta";
    if (output.type === "thinking") {
      if (output.signature !== undefined) block.signature = output.signature;
      if (output.providerData !== undefined) block.providerData = output.providerData;
    }
    message.changed = true;
    this.#showText(block, step);
    if (!block.streaming) this.#sendDraft(message, step);
  }

  addToolUse(output: Output<"tool-use">, step: ProcessedStep): void {
    const message = this.#enter(output, step);
    this.#open.touch(message.level);
    this.#closeTexts(message, step);
    const earlier = message.blocks.find((block): block is ToolBlock => block.kind === "tool" && block.index === output.index);
    const input = toWritableJson(output.input);
    if (earlier !== undefined && !earlier.isVoid && earlier.toolUseId !== undefined && earlier.toolUseId === output.toolUseId) {
      this.#repeat(message, earlier, { ...output, input }, step);
      return;
    }
    const reused = earlier?.isVoid === true && output.toolUseId !== undefined ? this.#takeOver(message, earlier) : undefined;
    const key = reused?.key ?? createBlockId(message, output.index);
    const block: ToolBlock = {
      kind: "tool",
      index: output.index,
      id: key,
      isVoid: false,
      call: { id: output.toolUseId ?? `${key}-call`, name: output.toolName, arguments: output.rawInput ?? JSON.stringify(input) },
    };
    if (output.toolUseId !== undefined) block.toolUseId = output.toolUseId;
    if (output.providerData !== undefined) block.call.providerData = toWritableJson(output.providerData);
    message.blocks.push(block);
    message.changed = true;
    this.#sendDraft(message, step);
    const slot = this.#slotOf(message, block);
    if (output.toolUseId === undefined) {
      this.#standalone.showUnnamedUse(key, { ...output, input }, step);
      const text = "The agent gave this call no id, so its result is not known.";
      if (slot !== undefined) step.messages.push(toMissingResultDraft({ slot, toolName: output.toolName, input }, { at: output.at, text }));
      return;
    }
    const { toolUseId, toolName, parentToolUseId } = output;
    const [at, revision] = [reused?.at ?? output.at, reused?.revision ?? 0];
    const call: Omit<OpenCall, "serial"> = { key, toolUseId, toolName, input, at, output: "", revision };
    if (parentToolUseId !== undefined) call.parentToolUseId = parentToolUseId;
    if (slot !== undefined) call.slot = slot;
    this.#calls.begin(call, step);
  }

  end(output: Output<"message-end">, step: ProcessedStep): void {
    const message = this.#find(output.messageId);
    if (message === undefined) return;
    this.#open.touch(message.level);
    if (output.model !== undefined) message.model = output.model;
    if (output.usage !== undefined) message.usage = output.usage;
    message.changed ||= output.model !== undefined || output.usage !== undefined;
    const last = message.blocks.findLast((block): block is TextBlock => block.kind === "text" && !block.isVoid && block.revision > 0);
    if (last !== undefined && (output.model !== undefined || output.usage !== undefined)) {
      last.model = output.model;
      last.usage = output.usage;
      if (!last.streaming) this.#showText(last, step);
    }
    this.#finish(message, output.at, step);
  }

  retry(output: Output<"retry">, step: ProcessedStep): void {
    const message = this.#find(output.messageId);
    if (message === undefined) return;
    this.#open.touch(message.level);
    for (const block of message.blocks) {
      block.isVoid = true;
      if (block.kind !== "tool") {
        // It is empty, so there is nothing to remove from the screen later: its stream ends here.
        if (block.streaming && block.text === "") this.#closeText(block, step);
        block.streaming = false;
        delete block.signature;
        delete block.providerData;
        continue;
      }
      this.#calls.releaseSlot(block.id);
    }
    message.changed = message.position !== undefined;
    this.#sendDraft(message, step);
  }

  /** A user message arrived in between: what follows also responds to it. */
  addUserMessage({ messageId: id, text, images = [], at }: Output<"user-message">, step: ProcessedStep): void {
    const before = this.#open.get("");
    if (before !== undefined) this.#close(before, at, step);
    const content = images.length === 0 ? text : [{ type: "text" as const, text }, ...images];
    step.messages.push({ id, position: this.#nextPosition++, body: { role: "user", content }, createdAt: at });
    const shownImages = images.map(({ mediaType, data }) => ({ mediaType, data }));
    const metadata = { executionId: this.#context.executionId, ...(images.length === 0 ? {} : { images: shownImages }) };
    step.conversation.push({ id, role: "user", messageType: "text", content: text, timestamp: at, revision: 1, metadata });
  }

  /** A subagent has returned its result: it sends nothing more. */
  closeLevel(level: string, at: number, step: ProcessedStep): void {
    const message = this.#open.get(level);
    if (message !== undefined) this.#close(message, at, step);
  }

  /** The agent is done: texts without an explicit end are complete. */
  complete(at: number, step: ProcessedStep): void {
    for (const message of [...this.#open.values()]) {
      if (message.blocks.some((block) => block.kind !== "tool" && block.streaming)) this.#close(message, at, step);
    }
  }

  /** Nothing more comes: text that was still streaming, or waited for a retry, broke off here. */
  interrupt(step: ProcessedStep): void {
    for (const message of this.#open.values()) {
      const waitsForRetry = message.blocks.length > 0 && message.blocks.every((block) => block.isVoid);
      for (const block of message.blocks) {
        if (block.kind === "tool") continue;
        if (block.streaming || (block.isVoid && waitsForRetry && block.text !== "")) {
          block.streaming = false;
          this.#showText(block, step, { interrupted: true });
        }
      }
      this.#sendDraft(message, step);
      this.#remember(message);
    }
    this.#open.clear();
  }

  save(): Pick<ProcessorCore, "closed" | "nextPosition"> {
    return { closed: this.#closed.entries(), nextPosition: this.#nextPosition };
  }

  takeChanges(): [string, OpenMessage | undefined][] {
    return this.#open.takeChanges();
  }

  #find(sourceId: MessageId): OpenMessage | undefined {
    for (const message of this.#open.values()) if (message.sourceId === sourceId) return message;
    return undefined;
  }

  /** The message that a block belongs to. Its first block determines its level, and the previous message on that level has ended. */
  #enter(output: Output<"text" | "thinking" | "tool-use">, step: ProcessedStep): OpenMessage {
    const level = output.parentToolUseId ?? "";
    const before = this.#open.get(level);
    if (before?.sourceId === output.messageId) return before;
    const known = this.#find(output.messageId);
    if (known !== undefined) return known;
    if (before !== undefined) this.#close(before, output.at, step);
    const times = this.#closed.get(output.messageId);
    const message: OpenMessage = {
      serial: this.#serials.next(),
      id: times === undefined ? output.messageId : (`${output.messageId}-c${times}` as MessageId),
      sourceId: output.messageId,
      level,
      createdAt: output.at,
      blocks: [],
      changed: false,
    };
    this.#open.set(level, message);
    if (this.#open.size > maxLevels) {
      const oldest = [...this.#open.values()].find((other) => other.level !== "" && other !== message);
      if (oldest !== undefined) this.#close(oldest, output.at, step);
    }
    return message;
  }

  #close(message: OpenMessage, at: number, step: ProcessedStep): void {
    this.#finish(message, at, step);
    this.#remember(message);
    this.#open.delete(message.level);
  }

  #remember(message: OpenMessage): void {
    this.#closed.set(message.sourceId, (this.#closed.get(message.sourceId) ?? 0) + 1);
  }

  #finish(message: OpenMessage, at: number, step: ProcessedStep): void {
    this.#closeTexts(message, step);
    for (const block of message.blocks) {
      if (block.kind !== "tool" || !block.isVoid) continue;
      const call = this.#calls.find(block.id);
      if (call !== undefined) this.#calls.endWithoutResult(call, { at, state: "interrupted", text: "Taken back by a retry." }, step);
    }
    this.#sendDraft(message, step);
  }

  #closeTexts(message: OpenMessage, step: ProcessedStep): void {
    for (const block of message.blocks) {
      if (block.kind === "tool") continue;
      if (block.streaming) this.#closeText(block, step);
      else if (block.isVoid) this.#blank(block, step);
    }
  }

  #closeText(block: TextBlock, step: ProcessedStep): void {
    block.streaming = false;
    this.#showText(block, step);
  }

  #blank(block: TextBlock, step: ProcessedStep): void {
    if (block.text === "") return;
    block.text = "";
    this.#showText(block, step);
  }

  #showText(block: TextBlock, step: ProcessedStep, options: { interrupted?: true } = {}): void {
    if (block.text === "" && block.revision === 0) return;
    block.revision += 1;
    step.conversation.push(toTextMessage(block, this.#context.executionId, options));
  }

  /** The same use again: an agent that learns the input of a call after announcing it. */
  #repeat(message: OpenMessage, block: ToolBlock, output: Output<"tool-use">, step: ProcessedStep): void {
    const call = this.#calls.find(block.id);
    if (call === undefined) return;
    call.toolName = output.toolName;
    call.input = output.input;
    block.call.name = output.toolName;
    block.call.arguments = output.rawInput ?? JSON.stringify(output.input);
    message.changed = true;
    this.#sendDraft(message, step);
    this.#calls.show(call, step);
  }

  #takeOver(message: OpenMessage, block: ToolBlock): OpenCall | undefined {
    const call = this.#calls.find(block.id);
    if (call === undefined) return undefined;
    this.#calls.withdraw(call);
    message.blocks = message.blocks.filter((other) => other !== block);
    return call;
  }

  #slotOf(message: OpenMessage, block: ToolBlock): ProtocolSlot | undefined {
    if (message.position === undefined) return undefined;
    const number = listCalls(message).indexOf(block);
    return { id: `${message.id}-r${number}` as MessageId, position: message.position + 1 + number, toolCallId: block.call.id };
  }

  #sendDraft(message: OpenMessage, step: ProcessedStep): void {
    if (message.level !== "" || !message.changed) return;
    if (message.position === undefined && !hasContent(message)) return;
    message.changed = false;
    message.position ??= this.#nextPosition;
    this.#nextPosition = Math.max(this.#nextPosition, message.position + 1 + countCalls(message));
    step.messages.push(toAssistantDraft(message, message.position));
  }
}
