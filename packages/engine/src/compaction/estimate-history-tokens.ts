import type { RepairProvider } from "../repair/repair-provider.ts";
import { countBody } from "../tokens/count-body.ts";
import { estimateTokens } from "../tokens/estimate-tokens.ts";
import { toBodies } from "./message-bodies.ts";

/**
 * The tokens of a history: texts, calls, results, images by their size in pixels. An estimate that is slightly too high, or exact for
 * texts with a tokenizer as `countText`.
 *
 * @example
 * estimateHistoryTokens(messages, { provider: "anthropic" });
 */
export function estimateHistoryTokens(
  messages: readonly object[],
  { provider, countText = estimateTokens }: { provider: RepairProvider; countText?: (text: string) => number },
): number {
  return toBodies(messages, provider).reduce((sum, body) => sum + countBody(body, countText), 0);
}
