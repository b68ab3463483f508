import type { AttemptId, MessageBody, MessageEntity, SummaryId } from "@skein/contracts";
import type { Model, ModelEvent } from "../ports/model.ts";
import { call } from "../request/history.fixture.ts";
import { RequestMessageBuilder } from "../request/request-message-builder.ts";
import { createTokenCounter } from "../tokens/token-counter.ts";
import { type CompressionPolicy, defaultCompressionSettings } from "./compression-settings.ts";
import type { CompressionHistory, CompressionStore } from "./compression-store.ts";
import { type CompressionServiceOptions, createCompressionService } from "./create-compression-service.ts";
import { applyPruning } from "./pruning.ts";

/** Half of the window, one turn kept. */
export function policy(changes: Partial<CompressionPolicy> = {}): CompressionPolicy {
  return { ...defaultCompressionSettings, triggerRatio: 0.5, keepRecentTurns: 1, ...changes };
}

export const attemptId = "att_1" as AttemptId;

/** One token per character, for readable figures. */
export const counter = createTokenCounter({ model: "test/model", countText: (text) => text.length });

/** Every turn: a request, a call, its output of `outputLength` characters, a closing text. */
export function createTurns(count: number, { outputLength = 400 }: { outputLength?: number } = {}): MessageEntity[] {
  const bodies = Array.from({ length: count }, (_, turn): MessageBody[] => [
    { role: "user", content: `request ${turn}` },
    { role: "assistant", content: "", toolCalls: [call(`call_${turn}`)] },
    {
      role: "tool",
      content: [{ type: "tool-result", toolCallId: `call_${turn}`, toolName: "probe", input: {}, result: "o".repeat(outputLength) }],
    },
    { role: "assistant", content: `answer ${turn}` },
  ]).flat();
  return bodies.map((body, i) => ({ id: `msg_${i}`, body }));
}

export function createMemoryStore(messages: readonly MessageEntity[]) {
  const states: CompressionHistory[] = [{ messages, summary: null, pruning: null }];
  const current = () => states.at(-1) ?? { messages, summary: null, pruning: null };
  const store: CompressionStore = {
    loadHistory: async () => current(),
    async saveCompression({ expectedSummaryId, summary, pruning }) {
      if ((current().summary?.id ?? null) !== expectedSummaryId) return false;
      states.push({ messages, summary: summary ?? current().summary, pruning });
      return true;
    },
    async undoCompression() {
      return states.length > 1 && states.pop() !== undefined;
    },
  };
  return { store, current };
}

/** The request as it would be sent, and the repairs made in it. */
export function buildRequest({ messages, summary, pruning }: CompressionHistory) {
  const repairs: unknown[] = [];
  const request = new RequestMessageBuilder({ logger: { debug: (_, details) => details && repairs.push(details) } })
    .setSystemPrompts(["P"])
    .setMessages(applyPruning(messages, pruning))
    .setCompressionSummary(summary)
    .build();
  return { request, repairs };
}

export interface ScriptedSummarizer extends Model {
  readonly requests: (readonly MessageBody[])[];
}

export function createSummarizer(
  answer: (signal: AbortSignal, requests: readonly MessageBody[]) => AsyncIterable<ModelEvent> | string,
  { contextWindow = 1_000_000 }: { contextWindow?: number } = {},
): ScriptedSummarizer {
  const requests: (readonly MessageBody[])[] = [];
  return {
    id: "test/summarizer",
    contextWindow,
    requests,
    async *stream({ messages }, { signal }) {
      requests.push(messages);
      const answered = answer(signal, messages);
      if (typeof answered !== "string") return yield* answered;
      yield { type: "text-delta", index: 0, text: answered };
      yield { type: "end", stopReason: "end", usage: {} };
    },
  };
}

export function createService(messages: readonly MessageEntity[], options: Partial<CompressionServiceOptions> = {}) {
  const memory = createMemoryStore(messages);
  let serial = 0;
  const service = createCompressionService({
    store: memory.store,
    model: createSummarizer(() => "They read two files."),
    counter,
    window: 2_000,
    settings: policy(),
    now: () => 1000,
    createSummaryId: () => `sum_${++serial}` as SummaryId,
    createDeadline: () => new AbortController().signal,
    ...options,
  });
  return { ...memory, service };
}
