import { z } from "zod";
import { attemptIdSchema, messageIdSchema, summaryIdSchema } from "./ids.ts";
import { timestampSchema } from "./json.ts";

/** What the request builder reads of a summary. Ids are strings or numbers, as in `MessageEntity`. */
export interface CompressionSummary {
  messageIds: readonly (string | number)[];
  startMessageId: string | number;
  summary: string;
}

/** Stands for older messages in requests; the messages themselves stay as they are. */
export const summarySchema = z.object({
  id: summaryIdSchema,
  attemptId: attemptIdSchema,
  /** Cumulative: those of the summary it superseded as well. */
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

/** Tool outputs that requests leave out. The stored messages keep them. */
export const pruningSchema = z.object({ results: z.array(z.object({ messageId: messageIdSchema, toolCallId: z.string() })) });
export type Pruning = z.infer<typeof pruningSchema>;

/** What stands between an attempt's messages and its requests. */
export const compressionSchema = z.object({ summary: summarySchema.nullable(), pruning: pruningSchema.nullable() });
export type Compression = z.infer<typeof compressionSchema>;
