import type { Usage } from "@skein/contracts";

/**
 * For agents that report cached tokens separately from the input, and thoughts separately from the output: normalizes them, so that
 * attempts can be compared.
 */
export function toWholeUsage(usage: Usage): Usage {
  const { inputTokens, outputTokens, reasoningTokens = 0, cacheReadTokens = 0, cacheWriteTokens = 0 } = usage;
  return {
    ...usage,
    ...(inputTokens === undefined ? {} : { inputTokens: inputTokens + cacheReadTokens + cacheWriteTokens }),
    ...(outputTokens === undefined ? {} : { outputTokens: outputTokens + reasoningTokens }),
  };
}

/** If a total is reported, the output is the total minus the prompt. */
export function withOutputOf(total: number | undefined, usage: Usage): Usage {
  const { inputTokens } = usage;
  return total === undefined || inputTokens === undefined || total < inputTokens ? usage : { ...usage, outputTokens: total - inputTokens };
}
