import { z } from "zod";

/** Usage as reported by a provider or an agent. Fields that were not reported are absent, never zero. */
export const usageSchema = z.object({
  /** All tokens of the prompts, including cached ones. */
  inputTokens: z.int().nonnegative().optional(),
  /** Everything that the model wrote, including reasoning. */
  outputTokens: z.int().nonnegative().optional(),
  reasoningTokens: z.int().nonnegative().optional(),
  cacheReadTokens: z.int().nonnegative().optional(),
  cacheWriteTokens: z.int().nonnegative().optional(),
  costUsd: z.number().nonnegative().optional(),
  /** The tokens are those of only some of the requests: the figures are lower bounds. */
  isPartial: z.literal(true).optional(),
});
export type Usage = z.infer<typeof usageSchema>;
