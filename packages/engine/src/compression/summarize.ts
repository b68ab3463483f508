import type { MessageBody, Usage } from "@skein/contracts";
import type { Model } from "../ports/model.ts";
import { toSummaryMessage } from "../request/apply-compression.ts";
import { addUsage } from "../tokens/add-usage.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";
import { askOnce } from "./ask-once.ts";
import { type CompressionInput, measureRequest } from "./compression-input.ts";
import type { SummaryFailure } from "./compression-outcome.ts";
import type { CompressionPlan } from "./plan-compression.ts";
import { quoteRequests, withoutQuotes } from "./quote-requests.ts";
import { renderTranscript } from "./render-transcript.ts";
import { summaryInstructions, toSummaryQuestion } from "./summary-prompt.ts";

/** Limits for one tool output in the transcript: the first that makes the request fit the summarizing model's window is used. */
const outputLengths = [8_000, 2_000, 500, 100];
const mostSummaryTokens = 8_000;

/** Input of `summarize`. */
export interface SummarizeInput extends CompressionInput {
  model: Model | null;
  /** Fallback if the first one returns no summary. */
  fallbackModel?: Model;
  counter: TokenCounter;
  plan: CompressionPlan;
  createDeadline(): AbortSignal;
  request: { instruction?: string; signal?: AbortSignal };
}

/** `usage` is the total of all models that were asked. */
export type Summarized =
  | { ok: true; plan: CompressionPlan; text: string; model: string; originalTokens: number; summaryTokens: number; usage: Usage }
  | { ok: false; reason: SummaryFailure; usage: Usage };

/** Asks one model and then the other, and returns the last reason if neither gave a summary. */
export async function summarize(input: SummarizeInput): Promise<Summarized> {
  const { plan } = input;
  let last: Summarized = { ok: false, reason: "no-model", usage: {} };
  for (const model of [input.model, input.fallbackModel]) {
    if (model === null || model === undefined) continue;
    const spent: Usage = last.usage;
    const summarized = await askModel(model, plan, input);
    last = { ...summarized, usage: addUsage(spent, summarized.usage) };
    if (last.ok || last.reason === "cancelled") break;
  }
  return last;
}

/** Accepts a summary only if it is shorter than the messages it covers. */
async function askModel(model: Model, plan: CompressionPlan, input: SummarizeInput): Promise<Summarized> {
  const question = askFor(plan, model, input);
  if (question === undefined) return { ok: false, reason: "too-long", usage: {} };
  const written = await askOnce(model, question, {
    cancel: input.request.signal ?? new AbortController().signal,
    deadline: input.createDeadline(),
    maxOutputTokens: summaryTokenLimit(model),
  });
  if (!written.ok) return written;
  const { usage } = written;
  const compressed = listCompressed(plan, input);
  const text = [written.text, quoteRequests(compressed)].filter((part) => part !== "").join("\n\n");
  const summary = { summary: text, messageIds: plan.messageIds, startMessageId: plan.startMessageId };
  const summaryTokens = input.counter.count(toSummaryMessage(summary));
  const originalTokens = input.counter.countAll(compressed.map(({ body }) => body));
  const isShorter = measureRequest({ ...input, summary }, input.counter).tokens < measureRequest(input, input.counter).tokens;
  if (!isShorter || summaryTokens >= originalTokens) return { ok: false, reason: "does-not-shrink", usage };
  return { ok: true, plan, text, model: model.id, originalTokens, summaryTokens, usage };
}

function askFor(plan: CompressionPlan, model: Model, { counter, request }: SummarizeInput): MessageBody[] | undefined {
  for (const maxOutputLength of outputLengths) {
    const transcript = renderTranscript(plan.toSummarize, { maxOutputLength });
    const content = toSummaryQuestion({
      transcript,
      previousSummary: withoutQuotes(plan.previousSummary),
      instruction: request.instruction,
    });
    const messages: MessageBody[] = [
      { role: "system", content: summaryInstructions },
      { role: "user", content },
    ];
    if (counter.countAll(messages) + summaryTokenLimit(model) <= model.contextWindow) return messages;
  }
  return undefined;
}

function summaryTokenLimit(model: Model): number {
  return Math.min(mostSummaryTokens, Math.floor(model.contextWindow / 4));
}

function listCompressed(plan: CompressionPlan, { messages }: CompressionInput) {
  const compressed = new Set(plan.messageIds);
  return messages.filter(({ id }) => compressed.has(id));
}
