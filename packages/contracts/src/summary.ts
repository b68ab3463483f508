import { z } from "zod";
import { attemptIdSchema, messageIdSchema, summaryIdSchema } from "./ids.ts";
import { timestampSchema } from "./json.ts";

/** The parts of a summary that the request builder reads. Ids are strings or numbers, as in `MessageEntity`. */
export interface CompressionSummary {
  messageIds: readonly (string | number)[];
  startMessageId: string | number;
  summary: string;
}

/** Replaces older messages in requests; the messages themselves are not changed. */
export const summarySchema = z.object({
  id: summaryIdSchema,
  attemptId: attemptIdSchema,
  /** Cumulative: includes those of the summary that it superseded. */
  messageIds: z.array(messageIdSchema),
  startMessageId: messageIdSchema,
  endMessageId: messageIdSchema,
  summary: z.string(),
  originalTokenCount: z.int().nonnegative(),
  summaryTokenCount: z.int().nonnegative(),
  model: z.string(),
  status: z.enum(["active", "superseded", "invalid"]),
  createdAt: timestampSchema,
});
export type Summary = z.infer<typeof summarySchema>;

/** Tool outputs that are left out of requests. The stored messages keep them. */
export const pruningSchema = z.object({ results: z.array(z.object({ messageId: messageIdSchema, toolCallId: z.string() })) });
export type Pruning = z.infer<typeof pruningSchema>;

/** The compression state of an attempt: what is applied to its messages to build requests. */
export const compressionSchema = z.object({ summary: summarySchema.nullable(), pruning: pruningSchema.nullable() });
export type Compression = z.infer<typeof compressionSchema>;
