import type { Usage } from "@skein/contracts";

const fields = ["inputTokens", "outputTokens", "reasoningTokens", "cacheReadTokens", "cacheWriteTokens", "costUsd"] as const;

/** Fields that neither reported stay absent. */
export function addUsage(a: Usage, b: Usage): Usage {
  const sum: Usage = {};
  for (const field of fields) {
    if (a[field] !== undefined || b[field] !== undefined) sum[field] = (a[field] ?? 0) + (b[field] ?? 0);
  }
  if (a.isPartial || b.isPartial) sum.isPartial = true;
  return sum;
}
