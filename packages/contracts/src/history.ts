import { z } from "zod";
import { executionIdSchema, messageIdSchema, summaryIdSchema } from "./ids.ts";
import { timestampSchema } from "./json.ts";
import { messageBodySchema } from "./message.ts";

/*
 * The protocol messages of an attempt as its requests are built from them, with what can be said about each.
 */

/** How many tokens a message takes: what the provider reported of an answer, or an estimate. */
export const tokenFigureSchema = z.object({ tokens: z.int().nonnegative(), isEstimate: z.boolean() });
export type TokenFigure = z.infer<typeof tokenFigureSchema>;

/** A message of a history, as the Context pane shows it. */
export const historyMessageSchema = z.object({
  id: messageIdSchema,
  executionId: executionIdSchema,
  /** Long texts are shortened and images left out, unless `isShortened` is false. */
  body: messageBodySchema,
  isShortened: z.boolean(),
  model: z.string().optional(),
  createdAt: timestampSchema,
  size: tokenFigureSchema,
  /** From an attempt that this one continues. */
  isInherited: z.boolean(),
  /** Of the running execution: shown from memory, and may still change. */
  isLive: z.boolean(),
  /** The active summary stands for it in requests. */
  isSummarized: z.boolean(),
  /** Results whose output requests leave out, with the tokens before and after. */
  pruned: z.array(z.object({ toolCallId: z.string(), before: z.int().nonnegative(), after: z.int().nonnegative() })),
});
/** A message of a history page. */
export type HistoryEntry = z.infer<typeof historyMessageSchema>;

/** The summary that stands for older messages in requests. */
export const historySummarySchema = z.object({
  id: summaryIdSchema,
  startMessageId: messageIdSchema,
  summary: z.string(),
  messageCount: z.int().nonnegative(),
  originalTokenCount: z.int().nonnegative(),
  summaryTokenCount: z.int().nonnegative(),
  model: z.string(),
  createdAt: timestampSchema,
});
export type HistorySummary = z.infer<typeof historySummarySchema>;

/** A part of a history, oldest first. */
export const historyPageSchema = z.object({
  /** Index of the first message of this page in the whole history. */
  offset: z.int().nonnegative(),
  messages: z.array(historyMessageSchema),
  /** Messages in the whole history now. */
  total: z.int().nonnegative(),
  /** Messages from the start that no longer change. */
  settled: z.int().nonnegative(),
  /** Changes whenever the compression does: pages with different values do not belong together. */
  compressionId: z.string(),
  summary: historySummarySchema.nullable(),
});
export type HistoryPage = z.infer<typeof historyPageSchema>;
