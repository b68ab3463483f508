import { z } from "zod";
import { approvalSchema } from "./approval.ts";
import { attemptSchema } from "./attempt.ts";
import { type ConversationMessage, conversationMessageSchema } from "./conversation-message.ts";
import { conversationStateSchema } from "./conversation-state.ts";
import { executionEndStatusSchema, executionSchema } from "./execution.ts";
import { attemptIdSchema, executionIdSchema, projectIdSchema, taskIdSchema, userIdSchema } from "./ids.ts";
import { inboxItemSchema } from "./inbox.ts";
import { timestampSchema } from "./json.ts";
import { projectSchema } from "./project.ts";
import { pullRequestBadgeSchema } from "./pull-request.ts";
import { queueStateSchema } from "./queued-message.ts";
import { taskSchema, taskStatusSchema } from "./task.ts";

const ofAttempt = { taskId: taskIdSchema, attemptId: attemptIdSchema };

/** A new, grown or ended message, at its newest revision. */
export const messageAddedSchema = z.object({ type: z.literal("message:added"), ...ofAttempt, message: conversationMessageSchema });

/**
 * Order: execution:started, then anything, then exactly one execution:completed, also after cancel, crash or a non-zero exit.
 *
 * `execution:changed`: a running execution waits (for a slot, an answer about a budget, or its provider), has another place in that order, or waits no longer. `message:added` carries the message at its newest revision: new, grown or ended. `approval:requested` carries an approval that waits
 * for an answer: new, or marked as tampered with since. `review:changed` and `git:changed`: comments or viewed marks, or branch, commits,
 * conflict or pull request of the attempt have changed; clients that show them reload them. `pull-request:changed` carries the badge of a
 * pull request, and comes with `git:changed`. `inbox:changed` carries an item that is new, cleared or put back. `access:changed`: the user
 * may see or do other things than before, or was signed out somewhere; sent to that user only, who reloads everything. `state:conversation-sync` replaces everything known about its task's conversation. Without `state`, the client has
 * missed more than is replayed: everything it knows about the task is outdated, and it reloads what it shows.
 */
export const eventSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("execution:started"), ...ofAttempt, executionId: executionIdSchema, execution: executionSchema }),
  z.object({ type: z.literal("execution:changed"), ...ofAttempt, executionId: executionIdSchema, execution: executionSchema }),
  z.object({
    type: z.literal("execution:completed"),
    ...ofAttempt,
    executionId: executionIdSchema,
    status: executionEndStatusSchema,
    execution: executionSchema,
  }),
  messageAddedSchema,
  z.object({ type: z.literal("state:conversation-sync"), taskId: taskIdSchema, state: conversationStateSchema.optional() }),
  z.object({
    type: z.literal("task:status-changed"),
    taskId: taskIdSchema,
    previousStatus: taskStatusSchema,
    newStatus: taskStatusSchema,
    task: taskSchema,
  }),
  z.object({ type: z.literal("task:attempt-created"), taskId: taskIdSchema, attempt: attemptSchema }),
  z.object({ type: z.literal("task:attempt-updated"), ...ofAttempt, updates: attemptSchema.partial() }),
  z.object({ type: z.literal("approval:requested"), ...ofAttempt, approval: approvalSchema }),
  z.object({ type: z.literal("approval:resolved"), ...ofAttempt, approval: approvalSchema }),
  z.object({ type: z.literal("queue:changed"), ...ofAttempt, ...queueStateSchema.shape }),
  z.object({ type: z.literal("inbox:changed"), ...ofAttempt, item: inboxItemSchema }),
  z.object({ type: z.literal("review:changed"), ...ofAttempt }),
  z.object({ type: z.literal("git:changed"), ...ofAttempt }),
  z.object({ type: z.literal("pull-request:changed"), ...ofAttempt, pullRequest: pullRequestBadgeSchema }),
  z.object({ type: z.literal("task:created"), taskId: taskIdSchema, task: taskSchema }),
  z.object({ type: z.literal("task:updated"), taskId: taskIdSchema, task: taskSchema }),
  z.object({ type: z.literal("task:deleted"), taskId: taskIdSchema, projectId: projectIdSchema }),
  z.object({ type: z.literal("access:changed"), userId: userIdSchema }),
  z.object({ type: z.literal("project:created"), projectId: projectIdSchema, project: projectSchema }),
  z.object({ type: z.literal("project:updated"), projectId: projectIdSchema, project: projectSchema }),
  z.object({ type: z.literal("project:deleted"), projectId: projectIdSchema }),
]);
export type SkeinEvent = z.infer<typeof eventSchema>;
/** The name of an event, as in the `event:` field of the stream. */

/** Sequence numbers increase strictly and are delivered in order; there may be gaps. */
export const sequenceSchema = z.int().nonnegative();

/** A committed event with its sequence number and time. */
export const sequencedEventSchema = z.object({ seq: sequenceSchema, at: timestampSchema, event: eventSchema });
export type SequencedEvent = z.infer<typeof sequencedEventSchema>;

/** An event on its way to a client. Without `seq` it is a live update: from memory, not committed yet. */
export interface Delivery {
  seq?: number;
  event: SkeinEvent;
}

/** Sent when a message that was sent on this connection before is committed. */
export const messageReferenceSchema = z.object({ attemptId: attemptIdSchema, messageId: z.string(), revision: z.int().positive() });
export type MessageReference = z.infer<typeof messageReferenceSchema>;

/** Sent instead of a `message:added` whose text continues one that was sent on this connection before: everything but that text. */
export const messageGrowthSchema = z.object({
  ...ofAttempt,
  /** The revision that `append` is added to. */
  from: z.int().positive(),
  append: z.string(),
  message: z.custom<Omit<ConversationMessage, "content">>(
    (value) => conversationMessageSchema.safeParse({ ...(value as object), content: "" }).success,
  ),
});
export type MessageGrowth = z.infer<typeof messageGrowthSchema>;
