import type { AgentOutput, ExecutionId } from "@skein/contracts";
import type { ToolLedger } from "../pairing/tool-ledger.ts";
import { ToolPairing } from "../pairing/tool-pairing.ts";
import { keepEnd } from "../text/truncate.ts";
import type { PresentTool } from "../tools/tool-registry.ts";
import { toWritableJson } from "./bounded-json.ts";
import { EndedCards } from "./ended-cards.ts";
import type { ProcessedStep } from "./message-processor.ts";
import type { OpenCall, ProcessorCore, ProcessorState, ToolResultRecord, toEntries } from "./processor-state.ts";
import { toMissingResultDraft, toResultDraft } from "./protocol-drafts.ts";
import type { Serials } from "./serials.ts";
import type { StandaloneMessages } from "./standalone-messages.ts";
import { annotate, type CallEnd, toEndedCard, toRunningCard } from "./tool-card.ts";
import { TrackedMap } from "./tracked-map.ts";

/** Ids kept after their last use ended. */
const maxEnded = 64;
const maxProgressLength = 64 * 1024;

/** What the parts of a processor share. */
export interface ProcessorContext {
  executionId: ExecutionId;
  present: PresentTool;
}

type ToolResult = Extract<AgentOutput, { type: "tool-result" }>;

/** The tool executions of one execution: each has one card and one end (T1 to T6, Q3). */
export class ToolCalls {
  readonly #context: ProcessorContext;
  readonly #standalone: StandaloneMessages;
  readonly #open: TrackedMap<OpenCall>;
  readonly #ended: EndedCards;
  readonly #ledgers: TrackedMap<ToolLedger<string, ToolResultRecord>>;
  readonly #pairing: ToolPairing<string, ToolResultRecord>;
  readonly #serials: Serials;

  constructor(context: ProcessorContext, parts: { standalone: StandaloneMessages; serials: Serials }, state?: ProcessorState) {
    this.#context = context;
    this.#standalone = parts.standalone;
    this.#serials = parts.serials;
    const areNew = state?.areEntriesNew === true;
    this.#open = new TrackedMap(
      state?.calls.map((call) => [call.key, call] as const),
      { areNew },
    );
    this.#ended = new EndedCards(state?.ended);
    this.#ledgers = new TrackedMap(state?.pairing, { areNew });
    this.#pairing = new ToolPairing({ maxEnded, ledgers: this.#ledgers });
  }

  find(key: string): OpenCall | undefined {
    return this.#open.get(key);
  }

  begin(use: Omit<OpenCall, "serial">, step: ProcessedStep): void {
    const call: OpenCall = Object.assign(use, { serial: this.#serials.next() });
    this.#open.set(call.key, call);
    const waiting = this.#pairing.addUse(call.toolUseId, call.key);
    if (waiting === undefined) {
      this.show(call, step);
      return;
    }
    call.replaces = [...(call.replaces ?? []), waiting.resultId];
    this.#end(call, { at: waiting.at, result: waiting }, step);
  }

  /** The call, as it is while it runs. */
  show(call: OpenCall, step: ProcessedStep): void {
    call.revision += 1;
    this.#open.touch(call.key);
    step.conversation.push(toRunningCard(call, this.#context));
  }

  /** The model discarded the call; its card stays until something replaces it. */
  releaseSlot(key: string): void {
    const call = this.#open.get(key);
    if (call === undefined) return;
    delete call.slot;
    this.#open.touch(key);
  }

  /** The use never happened; its card is free for a replacement. */
  withdraw(call: OpenCall): void {
    this.#pairing.withdraw(call.toolUseId, call.key);
    this.#open.delete(call.key);
  }

  addProgress(output: Extract<AgentOutput, { type: "tool-progress" }>, step: ProcessedStep): void {
    const call = this.#findOpen(output.toolUseId);
    if (call === undefined) return;
    call.seenAt = output.at;
    call.output = keepEnd(call.output + output.text, maxProgressLength);
    this.show(call, step);
  }

  /** There was activity inside this call, and so inside those around it: a subagent works. */
  addSign(toolUseId: string, at: number): void {
    const seen = new Set<OpenCall>();
    // an agent may name a call as its own parent
    for (let call = this.#findOpen(toolUseId); call !== undefined && !seen.has(call); ) {
      seen.add(call);
      call.seenAt = at;
      this.#open.touch(call.key);
      call = call.parentToolUseId === undefined ? undefined : this.#findOpen(call.parentToolUseId);
    }
  }

  addResult(output: ToolResult, step: ProcessedStep): void {
    if (output.toolUseId === undefined) {
      this.#standalone.showResult(output, step);
      return;
    }
    const result = toRecord(output);
    const outcome = this.#pairing.addResult(output.toolUseId, result);
    const call = outcome.type === "paired" ? this.#open.get(outcome.use) : undefined;
    if (call !== undefined) this.#end(call, { at: output.at, result }, step);
    else if (outcome.type !== "extra" || !this.#annotate(outcome.use, output, step)) this.#standalone.showResult(output, step);
  }

  /** Ends every call that `isOver` selects without a result. */
  endAll(
    end: { at: number; state: "interrupted" | "timed-out"; text: string },
    isOver: (call: OpenCall) => boolean,
    step: ProcessedStep,
  ): void {
    for (const call of [...this.#open.values()]) if (isOver(call)) this.endWithoutResult(call, end, step);
  }

  endWithoutResult(call: OpenCall, end: { at: number; state: "interrupted" | "timed-out"; text: string }, step: ProcessedStep): void {
    this.#pairing.end(call.toolUseId, call.key);
    this.#end(call, { at: end.at, state: end.state }, step);
    if (call.slot !== undefined) step.messages.push(toMissingResultDraft({ ...call, slot: call.slot }, end));
  }

  save(): Pick<ProcessorCore, "ended"> {
    return { ended: this.#ended.list() };
  }

  takeChanges(): Pick<Parameters<typeof toEntries>[0], "calls" | "pairing"> {
    return { calls: this.#open.takeChanges(), pairing: this.#ledgers.takeChanges() };
  }

  #findOpen(toolUseId: string): OpenCall | undefined {
    const key = this.#pairing.findOpen(toolUseId);
    return key === undefined ? undefined : this.#open.get(key);
  }

  #end(call: OpenCall, end: CallEnd, step: ProcessedStep): void {
    this.#open.delete(call.key);
    call.revision += 1;
    const card = toEndedCard(call, end, this.#context);
    this.#ended.add(card);
    step.conversation.push(card);
    const { slot, toolName, input } = call;
    if (slot !== undefined && "result" in end) step.messages.push(toResultDraft({ slot, toolName, input }, end.result));
  }

  #annotate(key: string, output: ToolResult, step: ProcessedStep): boolean {
    const card = this.#ended.find(`${key}-merged`);
    if (card === undefined) return false;
    const annotated = annotate(card, output.output);
    this.#ended.add(annotated);
    step.conversation.push(annotated);
    return true;
  }
}

function toRecord(output: ToolResult): ToolResultRecord {
  const { resultId, isError, at, state, structured, images } = output;
  const record: ToolResultRecord = { resultId, output: output.output, isError, at };
  if (state !== undefined) record.state = state;
  if (structured !== undefined) record.structured = toWritableJson(structured);
  if (images !== undefined) record.images = images;
  return record;
}
