import type { Usage } from "@skein/contracts";

/**
 * For agents that count cached tokens separately from the input, and thoughts separately from the output: brings them to the meaning that
 * usage has everywhere, so that what two attempts took can be compared.
 */
export function toWholeUsage(usage: Usage): Usage {
  const { inputTokens, outputTokens, reasoningTokens = 0, cacheReadTokens = 0, cacheWriteTokens = 0 } = usage;
  return {
    ...usage,
    ...(inputTokens === undefined ? {} : { inputTokens: inputTokens + cacheReadTokens + cacheWriteTokens }),
    ...(outputTokens === undefined ? {} : { outputTokens: outputTokens + reasoningTokens }),
  };
}

/** Where a total was reported, the output is the total minus the prompt. */
export function withOutputOf(total: number | undefined, usage: Usage): Usage {
  const { inputTokens } = usage;
  return total === undefined || inputTokens === undefined || total < inputTokens ? usage : { ...usage, outputTokens: total - inputTokens };
}
