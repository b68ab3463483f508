import type { Usage } from "@skein/contracts";
import { findKnownModel } from "./known-models.ts";

/**
 * Cost in US dollars at list prices; undefined if the price is unknown or the provider reported no tokens. Input includes tokens read
 * from and written to the cache; output includes reasoning.
 */
export function costOf(usage: Usage, modelId: string): number | undefined {
  const model = findKnownModel(modelId);
  if (model === undefined || usage.inputTokens === undefined || usage.outputTokens === undefined) return undefined;
  const { longPrice } = model;
  const price = longPrice !== undefined && usage.inputTokens > longPrice.above ? longPrice : model.price;
  const read = usage.cacheReadTokens ?? 0;
  const written = usage.cacheWriteTokens ?? 0;
  const fresh = Math.max(0, usage.inputTokens - read - written);
  return (fresh * price.input + read * price.cacheRead + written * price.cacheWrite + usage.outputTokens * price.output) / 1_000_000;
}

/** Other vendors' endpoints may serve a model of the same name at another price. */
export function withCost(usage: Usage, modelId: string, { isOfficial }: { isOfficial: boolean }): Usage {
  const costUsd = isOfficial ? costOf(usage, modelId) : undefined;
  return costUsd === undefined ? usage : { ...usage, costUsd };
}
