import type { CallBound } from "@skein/contracts";
import { costOf } from "./cost-of.ts";
import { findKnownModel } from "./known-models.ts";

/**
 * The most that one call can use. Of a script nothing is known. A model without a known price reports no costs; if its output limit is not known, the
 * tokens are not bounded.
 */
export function boundCall({ modelId, inputTokens }: { modelId: string; inputTokens: number }): CallBound {
  if (modelId.startsWith("scripted/")) return {};
  const outputTokens = findKnownModel(modelId)?.outputLimit;
  if (outputTokens === undefined) return { costUsd: 0 };
  // the most expensive way to read: everything is written to the cache
  const costUsd = costOf({ inputTokens, outputTokens, cacheWriteTokens: inputTokens }, modelId);
  return { tokens: inputTokens + outputTokens, ...(costUsd === undefined ? {} : { costUsd }) };
}
