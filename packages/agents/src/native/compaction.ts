import {
  type Compression,
  createId,
  type MessageEntity,
  type MessageId,
  type Pruning as StoredPruning,
  type SummaryId,
} from "@skein/contracts";
import { addUsage, type CompressionOutcome, createCompressionService, defaultCompressionSettings, type Pruning } from "@skein/engine";
import type { NativeInput } from "./native-input.ts";
import { toToolDefinitions } from "./tool-definitions.ts";
import { notify, type Turn } from "./turn.ts";
import { withRetries } from "./with-retries.ts";

const summaryWithinMs = 120_000;
/** Maximum that is kept free for the answer. */
const answerTokens = 16_000;

/** The text after `/compact`; undefined for every other message. */
export function readCompactCommand(message: string): { instruction: string } | undefined {
  const match = /^\/compact(?:\s+([\s\S]*))?$/.exec(message.trim());
  return match === null ? undefined : { instruction: (match[1] ?? "").trim() };
}

/** Shortens an older part of the conversation for requests; stored messages are not changed (R10, R11). */
export interface Compaction {
  /** What requests are currently built with. */
  readonly current: Compression;
  /** Does nothing while the conversation fits. Never throws because of a model. Returns true if it was shortened. */
  fit(messages: readonly MessageEntity[]): Promise<boolean>;
  byHand(messages: readonly MessageEntity[], instruction: string): Promise<CompressionOutcome>;
}

export function createCompaction(
  turn: Turn,
  { input, systemPrompts }: { input: NativeInput; systemPrompts: readonly string[] },
): Compaction {
  let current = input.compression;
  /** Changes that were not reported yet. */
  const made: (Compression & { expectedSummaryId: SummaryId | null })[] = [];
  const { summaryModel } = turn;
  const toLimits = createCompressionLimits(turn, { input, systemPrompts });

  const createService = (messages: readonly MessageEntity[]) => {
    const { window } = turn;
    const own = { ...withRetries(turn.model, turn.limits), contextWindow: window };
    return createCompressionService({
      store: {
        loadHistory: async () => ({ messages, ...current }),
        async saveCompression({ expectedSummaryId, summary, pruning }) {
          current = { summary: summary ?? current.summary, pruning: toStored(pruning) };
          made.push({ expectedSummaryId, summary, pruning: current.pruning });
          return true;
        },
        undoCompression: async () => false,
      },
      ...(summaryModel === undefined ? { model: own } : { model: withRetries(summaryModel, turn.limits), fallbackModel: own }),
      ...toLimits(window),
      now: turn.now,
      createSummaryId: () => createId("sum", turn.now()),
      createDeadline: () => AbortSignal.timeout(summaryWithinMs),
    });
  };

  async function compact(messages: readonly MessageEntity[], request: { reason: "automatic" | "by-hand"; instruction?: string }) {
    const outcome = await createService(messages).compact({ attemptId: input.attemptId, signal: turn.signal, ...request });
    if ("usage" in outcome) turn.spent.usage = addUsage(turn.spent.usage, outcome.usage);
    for (const change of made.splice(0)) {
      turn.emit({ type: "compression", messageId: turn.createMessageId(), text: outcome.text, ...change, at: turn.now() });
    }
    // after `/compact` the end of the execution reports it
    if (outcome.type === "failed" && request.reason === "automatic" && !turn.signal.aborted)
      notify(turn, outcome.message, "not-compressed");
    return outcome;
  }

  return {
    get current() {
      return current;
    },
    async fit(messages) {
      const { type } = await compact(messages, { reason: "automatic" });
      return type === "compressed" || type === "pruned";
    },
    byHand: (messages, instruction) => compact(messages, { reason: "by-hand", ...(instruction === "" ? {} : { instruction }) }),
  };
}

/** When a conversation is too long for a context window. */
export function createCompressionLimits(
  { counter, tools }: Pick<Turn, "counter" | "tools">,
  { input, systemPrompts }: { input: Pick<NativeInput, "compressionPolicy">; systemPrompts: readonly string[] },
) {
  const besides = counter.countText(systemPrompts.join("\n") + toToolDefinitions(tools).text);
  return (window: number) => ({
    counter,
    window,
    settings: input.compressionPolicy ?? defaultCompressionSettings,
    reservedTokens: besides + Math.min(answerTokens, Math.floor(window / 10)),
  });
}

/** Ids of stored messages: only those are pruned, since the current turn is never changed. */
function toStored(pruning: Pruning | null): StoredPruning | null {
  return pruning && { results: pruning.results.map(({ messageId, toolCallId }) => ({ messageId: messageId as MessageId, toolCallId })) };
}
