import { z } from "zod";
import { executionIdSchema, messageIdSchema, summaryIdSchema } from "./ids.ts";
import { timestampSchema } from "./json.ts";
import { messageBodySchema } from "./message.ts";

/* The protocol messages of an attempt that its requests are built from, with annotations. */

/** Tokens of a message: as reported by the provider for an answer, otherwise an estimate. */
export const tokenFigureSchema = z.object({ tokens: z.int().nonnegative(), isEstimate: z.boolean() });
export type TokenFigure = z.infer<typeof tokenFigureSchema>;

/** A message of a history, as shown in the Context pane. */
export const historyMessageSchema = z.object({
  id: messageIdSchema,
  executionId: executionIdSchema,
  /** Long texts are truncated and images omitted, unless `isShortened` is false. */
  body: messageBodySchema,
  isShortened: z.boolean(),
  model: z.string().optional(),
  createdAt: timestampSchema,
  size: tokenFigureSchema,
  /** From an earlier attempt that this one continues. */
  isInherited: z.boolean(),
  /** Of the running execution: from memory, and may still change. */
  isLive: z.boolean(),
  /** Replaced in requests by the active summary. */
  isSummarized: z.boolean(),
  /** Results whose output is left out of requests, with the tokens before and after. */
  pruned: z.array(z.object({ toolCallId: z.string(), before: z.int().nonnegative(), after: z.int().nonnegative() })),
});
/** A message of a history page. */
export type HistoryEntry = z.infer<typeof historyMessageSchema>;

/** The summary that replaces older messages in requests. */
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

/** A page of a history, oldest first. */
export const historyPageSchema = z.object({
  /** Index of the page's first message in the whole history. */
  offset: z.int().nonnegative(),
  messages: z.array(historyMessageSchema),
  /** Current number of messages in the whole history. */
  total: z.int().nonnegative(),
  /** Number of messages from the start that no longer change. */
  settled: z.int().nonnegative(),
  /** Changes with every compression: pages with different values do not belong together. */
  compressionId: z.string(),
  summary: historySummarySchema.nullable(),
});
export type HistoryPage = z.infer<typeof historyPageSchema>;
