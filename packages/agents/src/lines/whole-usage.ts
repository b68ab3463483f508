import type { Usage } from "@skein/contracts";

/**
 * For agents that count cached tokens beside the input, and thoughts beside the output: brings them to the meaning that
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

/** What the model wrote is what the total has beside the prompt, where a total was told. */
export function withOutputOf(total: number | undefined, usage: Usage): Usage {
  const { inputTokens } = usage;
  return total === undefined || inputTokens === undefined || total < inputTokens ? usage : { ...usage, outputTokens: total - inputTokens };
}
