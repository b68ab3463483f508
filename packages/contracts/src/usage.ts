import { z } from "zod";

/** What a provider or an agent reported. A field that was not reported is absent, never zero. */
export const usageSchema = z.object({
  /** Every token of the prompts, cached ones included. */
  inputTokens: z.int().nonnegative().optional(),
  /** Everything that the model wrote, reasoning included. */
  outputTokens: z.int().nonnegative().optional(),
  reasoningTokens: z.int().nonnegative().optional(),
  cacheReadTokens: z.int().nonnegative().optional(),
  cacheWriteTokens: z.int().nonnegative().optional(),
  costUsd: z.number().nonnegative().optional(),
  /** The tokens are those of some of the requests: at least so many were used. */
  isPartial: z.literal(true).optional(),
});
export type Usage = z.infer<typeof usageSchema>;
