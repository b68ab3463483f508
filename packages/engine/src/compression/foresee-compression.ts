import type { CompressionForecast } from "@skein/contracts";
import { toSummaryMessage } from "../request/apply-compression.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";
import { chooseCompression } from "./choose-compression.ts";
import type { CompressionInput } from "./compression-input.ts";
import type { CompressionPolicy } from "./compression-settings.ts";
import { decideCompression } from "./decide-compression.ts";
import { pruneToolOutputs } from "./prune-tool-outputs.ts";

/** What `compact({ reason: "automatic" })` would do, as far as it is known without a model; null if nothing. */
export function foreseeCompression({
  counter,
  settings,
  window,
  reservedTokens = 0,
  ...history
}: CompressionInput & {
  counter: TokenCounter;
  window: number;
  settings: CompressionPolicy;
  reservedTokens?: number;
}): CompressionForecast | null {
  const decision = decideCompression({ ...history, counter, settings, window, reservedTokens });
  const choice = chooseCompression({ ...history, reason: "automatic", decision, settings, counter });
  if (choice.type === "summarize" && decision.needed) {
    const { toSummarize, kept } = choice.plan;
    const replaced = [...toSummarize.map(({ body }) => body), ...(history.summary === null ? [] : [toSummaryMessage(history.summary)])];
    return {
      type: "summarize",
      reason: decision.reason,
      messages: toSummarize.length,
      tokens: counter.countAll(replaced),
      replacesSummary: history.summary !== null,
      keptMessages: kept.length,
    };
  }
  if (choice.type !== "prune") return null;
  const { prunedCount: outputs, tokensBefore, tokensAfter } = pruneToolOutputs({ ...history, counter, budget: decision.budget });
  return { type: "prune", outputs, tokensBefore, tokensAfter, fits: tokensAfter <= decision.limit };
}
