import type { AttemptId, MessageId, Summary, SummaryId, Usage } from "@skein/contracts";
import type { Model } from "../ports/model.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";
import { chooseCompression } from "./choose-compression.ts";
import { type CompressionOutcome, type SummaryFailure, toCompressed, toFailed, toNotNeeded, toPruned } from "./compression-outcome.ts";
import type { CompressionPolicy } from "./compression-settings.ts";
import type { CompressionHistory, CompressionStore } from "./compression-store.ts";
import { type CompressionDecision, decideCompression } from "./decide-compression.ts";
import { pruneToolOutputs } from "./prune-tool-outputs.ts";
import { summarize } from "./summarize.ts";

/** Dependencies of a compression service. */
export interface CompressionServiceOptions {
  store: CompressionStore;
  /** Writes the summaries; null: old tool outputs are pruned instead. */
  model: Model | null;
  /** Fallback, such as the attempt's own model behind a cheap one. */
  fallbackModel?: Model;
  counter: TokenCounter;
  /** Context window of the model that requests are sent to. */
  window: number;
  settings: CompressionPolicy;
  /** What else must fit into the window: system prompt, tool definitions, the answer. */
  reservedTokens?: number;
  now(): number;
  createSummaryId(): SummaryId;
  /** Aborted when a summary takes too long, such as `() => AbortSignal.timeout(120_000)`. */
  createDeadline(): AbortSignal;
  logger?: { debug(message: string, details?: object): void };
}

/** One compression of an attempt. */
export interface CompactRequest {
  attemptId: AttemptId;
  reason: "automatic" | "by-hand";
  /** The user's text after /compact. */
  instruction?: string;
  signal?: AbortSignal;
}

/** Keeps the requests of conversations within the context window of a model. */
export interface CompressionService {
  /** Expected failures are outcomes; rejects only if the store throws. Requests may be sent in the meantime. */
  compact(request: CompactRequest): Promise<CompressionOutcome>;
  /** Requests are byte for byte what they were before the last compression. Returns false if there was none. */
  undo(query: { attemptId: AttemptId }): Promise<boolean>;
}

/** Creates the service for one model. Its methods reject only if the store does; a model failure is an outcome. */
export function createCompressionService(options: CompressionServiceOptions): CompressionService {
  const { store, counter } = options;

  async function compact(request: CompactRequest): Promise<CompressionOutcome> {
    const history = await store.loadHistory({ attemptId: request.attemptId });
    const decision = decideCompression({ ...history, ...options });
    const outcome = await compactHistory({ request, history, decision });
    options.logger?.debug(`[compression] ${outcome.type}: ${outcome.message}`);
    return outcome;
  }

  async function compactHistory(step: Step): Promise<CompressionOutcome> {
    const { request, history, decision } = step;
    const choice = chooseCompression({ ...history, reason: request.reason, decision, settings: options.settings, counter });
    switch (choice.type) {
      case "nothing":
        return toNotNeeded(decision.tokens);
      case "refuse":
        return toFailed({ reason: choice.cause, fits: decision.tokens <= decision.limit, tokens: decision.tokens, usage: {} });
      case "prune":
        return pruneInstead({ ...step, cause: choice.cause, usage: {} });
      case "summarize": {
        const written = await summarize({ ...history, ...options, plan: choice.plan, request });
        return written.ok ? saveSummary({ ...step, written }) : pruneInstead({ ...step, cause: written.reason, usage: written.usage });
      }
    }
  }

  async function saveSummary({ request, history, decision, written }: Step & { written: Written }): Promise<CompressionOutcome> {
    const summary: Summary = {
      id: options.createSummaryId(),
      attemptId: request.attemptId,
      messageIds: written.plan.messageIds as MessageId[],
      startMessageId: written.plan.startMessageId as MessageId,
      endMessageId: written.plan.endMessageId as MessageId,
      summary: written.text,
      originalTokenCount: written.originalTokens,
      summaryTokenCount: written.summaryTokens,
      model: written.model,
      status: "active",
      createdAt: options.now(),
    };
    // What is kept may alone be too long: then its oldest outputs are pruned as well, in the same transaction.
    const { pruning, tokensAfter, fits } = pruneToolOutputs({ ...history, summary, counter, budget: decision.budget });
    const isSaved = await store.saveCompression({
      attemptId: request.attemptId,
      expectedSummaryId: history.summary?.id ?? null,
      summary,
      pruning,
    });
    const { usage } = written;
    if (!isSaved) {
      return toFailed({ reason: "changed-meanwhile", fits: decision.tokens <= decision.budget, tokens: decision.tokens, usage });
    }
    return toCompressed({ summary, pruning, fits, tokensBefore: decision.tokens, tokensAfter, usage });
  }

  async function pruneInstead({
    request,
    history,
    decision,
    cause,
    usage,
  }: Step & { cause: SummaryFailure; usage: Usage }): Promise<CompressionOutcome> {
    // If the settings allow no summary, the whole window may be used.
    const room = cause === "switched-off" || cause === "not-automatic" ? decision.limit : decision.budget;
    const failed = (reason: SummaryFailure | "changed-meanwhile") =>
      toFailed({ reason, fits: decision.tokens <= room, tokens: decision.tokens, usage });
    if (cause === "cancelled") return failed(cause);
    // A user who requests it wants a shorter conversation even if there is room.
    const budget = request.reason === "by-hand" ? Math.min(decision.budget, Math.floor(decision.tokens / 2)) : decision.budget;
    const plan = pruneToolOutputs({ ...history, counter, budget });
    if (plan.pruning === null || plan.prunedCount === 0) return failed(cause);
    const isSaved = await store.saveCompression({
      attemptId: request.attemptId,
      expectedSummaryId: history.summary?.id ?? null,
      summary: null,
      pruning: plan.pruning,
    });
    return isSaved
      ? toPruned({ ...plan, pruning: plan.pruning, cause, fits: plan.tokensAfter <= room, usage })
      : failed("changed-meanwhile");
  }

  return { compact, undo: (query) => store.undoCompression(query) };
}

interface Step {
  request: CompactRequest;
  history: CompressionHistory;
  decision: CompressionDecision;
}

type Written = Extract<Awaited<ReturnType<typeof summarize>>, { ok: true }>;
