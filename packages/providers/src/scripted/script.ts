import { jsonValueSchema } from "@skein/contracts";
import { z } from "zod";

const errorKinds = [
  "rate-limit",
  "quota",
  "overloaded",
  "context-too-long",
  "bad-request",
  "auth",
  "network",
  "unknown-model",
  "other",
] as const;

/** A script file. Step N answers the request that follows N assistant messages since the last user message. */
export const scriptSchema = z.strictObject({
  steps: z.array(
    z.strictObject({
      text: z.string().optional(),
      reasoning: z.string().optional(),
      toolCalls: z.array(z.strictObject({ name: z.string().min(1), arguments: jsonValueSchema })).optional(),
      chunkDelayMs: z.number().nonnegative().max(60_000).optional(),
      /** Thrown after the step's output. */
      error: z
        .strictObject({ kind: z.enum(errorKinds), message: z.string(), retryAfterMs: z.number().nonnegative().optional() })
        .optional(),
      /** What the step costs, in US dollars; default: nothing. */
      costUsd: z.number().nonnegative().optional(),
    }),
  ),
});
export type Script = z.infer<typeof scriptSchema>;
