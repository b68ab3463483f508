import { z } from "zod";
import { requestedModelSchema } from "./agent.ts";
import { noticeTextSchema } from "./coded-texts/notice-text.ts";

/** The model that would suggest a commit message, and so get the diff; null if none is configured. */
export const commitMessageModelSchema = z.object({ model: z.string().nullable() });
export type CommitMessageModel = z.infer<typeof commitMessageModelSchema>;

/** Asks a model for a commit message. */
export const suggestCommitMessageSchema = z.object({
  /** Files to be committed. Absent: everything that differs from the last commit. */
  paths: z.array(z.string().min(1).max(4096)).min(1).max(10_000).optional(),
  /** The model that was shown: nothing is sent if it would be another one by now. */
  model: requestedModelSchema.optional(),
});
export type SuggestCommitMessage = z.infer<typeof suggestCommitMessageSchema>;

/** A subject of at most 72 characters, and a body after an empty line if there is one. */
export const suggestedCommitMessageSchema = z.object({ message: z.string(), model: z.string() });
export type SuggestedCommitMessage = z.infer<typeof suggestedCommitMessageSchema>;

/** What the program prints that asks a model one question. */
export const questionAnswerSchema = z.discriminatedUnion("ok", [
  z.object({ ok: z.literal(true), text: z.string() }),
  z.object({ ok: z.literal(false), reason: z.union([z.string(), noticeTextSchema]) }),
]);
export type QuestionAnswer = z.infer<typeof questionAnswerSchema>;
