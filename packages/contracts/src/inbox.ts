import { z } from "zod";
import { endedExecutionSchema } from "./execution.ts";
import { attemptIdSchema, executionIdSchema, raceIdSchema, taskIdSchema } from "./ids.ts";
import { timestampSchema } from "./json.ts";

const commonFields = {
  taskId: taskIdSchema,
  attemptId: attemptIdSchema,
  /** Null while it is open. */
  clearedAt: timestampSchema.nullable(),
};

/** An execution that ended by itself (finished, failed or was interrupted) and that the user has not seen. */
export const endedItemSchema = z.object({
  kind: z.literal("ended"),
  /** The execution's id: each is in the inbox once. */
  id: executionIdSchema,
  ...commonFields,
  execution: endedExecutionSchema,
  /** It was the last one of a race to end: how many of the race's attempts passed their checks. Archived ones are left out. */
  race: z.object({ raceId: raceIdSchema, passed: z.int().nonnegative(), total: z.int().positive() }).exactOptional(),
});
export type EndedItem = z.infer<typeof endedItemSchema>;

/** An attempt's pull request with failed checks or requested changes that the agent has not been sent. */
const feedbackItemSchema = z.object({
  kind: z.literal("feedback"),
  /** The attempt's id: it has one pull request. */
  id: attemptIdSchema,
  ...commonFields,
  /** The number and the page of the pull request. */
  number: z.int().positive(),
  url: z.string(),
  /** Names of the checks. */
  failedChecks: z.array(z.string()),
  /** Reviewers who request changes. */
  changesRequestedBy: z.array(z.string()),
  addedAt: timestampSchema,
});
export type FeedbackItem = z.infer<typeof feedbackItemSchema>;

/** An attempt has at most one open item of each kind. Questions of agents are approvals, and need no item. */
export const inboxItemSchema = z.discriminatedUnion("kind", [endedItemSchema, feedbackItemSchema]);
export type InboxItem = z.infer<typeof inboxItemSchema>;

/** The execution that ended, or the attempt of the pull request. */
export const inboxItemIdSchema = z.union([executionIdSchema, attemptIdSchema]);
export type InboxItemId = z.infer<typeof inboxItemIdSchema>;

/** `cleared: false` puts an item back. */
export const updateInboxItemSchema = z.object({ cleared: z.boolean() });
export type UpdateInboxItem = z.infer<typeof updateInboxItemSchema>;
