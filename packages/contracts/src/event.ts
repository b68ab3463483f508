import { z } from "zod";
import { approvalSchema } from "./approval.ts";
import { attemptSchema } from "./attempt.ts";
import { type ConversationMessage, conversationMessageSchema } from "./conversation-message.ts";
import { conversationStateSchema } from "./conversation-state.ts";
import { executionEndStatusSchema, executionSchema } from "./execution.ts";
import { type AttemptId, attemptIdSchema, executionIdSchema, projectIdSchema, type TaskId, taskIdSchema } from "./ids.ts";
import { inboxItemSchema } from "./inbox.ts";
import { timestampSchema } from "./json.ts";
import { projectSchema } from "./project.ts";
import { queueStateSchema } from "./queued-message.ts";
import { taskSchema, taskStatusSchema } from "./task.ts";

const ofAttempt = { taskId: taskIdSchema, attemptId: attemptIdSchema };

/**
 * execution:started, then anything, then exactly one execution:completed,
 * also after cancel, crash or a non-zero exit.
 *
 * message:added carries the message at its newest revision: new, grown or ended.
 * approval:requested carries an approval that waits for an answer: new, or marked as tampered with since.
 * inbox:changed carries an item that is new, or was cleared or put back.
 * state:conversation-sync replaces everything known of its task's conversation. Without `state` the client has missed
 * more than is replayed: whatever it knows of the task is out of date, and it loads what it shows.
 */
export const eventSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("execution:started"), ...ofAttempt, executionId: executionIdSchema, execution: executionSchema }),
  z.object({
    type: z.literal("execution:completed"),
    ...ofAttempt,
    executionId: executionIdSchema,
    status: executionEndStatusSchema,
    execution: executionSchema,
  }),
  z.object({ type: z.literal("message:added"), ...ofAttempt, message: conversationMessageSchema }),
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
  z.object({ type: z.literal("task:created"), taskId: taskIdSchema, task: taskSchema }),
  z.object({ type: z.literal("task:updated"), taskId: taskIdSchema, task: taskSchema }),
  z.object({ type: z.literal("task:deleted"), taskId: taskIdSchema, projectId: projectIdSchema }),
  z.object({ type: z.literal("project:created"), projectId: projectIdSchema, project: projectSchema }),
  z.object({ type: z.literal("project:updated"), projectId: projectIdSchema, project: projectSchema }),
  z.object({ type: z.literal("project:deleted"), projectId: projectIdSchema }),
]);
export type SkeinEvent = z.infer<typeof eventSchema>;
/** The name of an event, as in the `event:` field of the stream. */
export type EventType = SkeinEvent["type"];

/** Sequence numbers rise strictly and are delivered in order; numbers may be skipped. */
export const sequenceSchema = z.int().nonnegative();

/** A committed event with its sequence number and time. */
export const sequencedEventSchema = z.object({ seq: sequenceSchema, at: timestampSchema, event: eventSchema });
export type SequencedEvent = z.infer<typeof sequencedEventSchema>;

/** An event on its way to a client. Without `seq` it is a live update: shown from memory, not committed yet. */
export interface Delivery {
  seq?: number;
  event: SkeinEvent;
}

/** Sent instead of a message that this connection has shown before, once it is committed. */
export const messageReferenceSchema = z.object({ attemptId: attemptIdSchema, messageId: z.string(), revision: z.int().positive() });
export type MessageReference = z.infer<typeof messageReferenceSchema>;

/** Sent instead of a text that this connection has shown and that has grown since: everything but the text shown so far. */
export interface MessageGrowth {
  taskId: TaskId;
  attemptId: AttemptId;
  /** The revision that `append` is added to. */
  from: number;
  append: string;
  message: Omit<ConversationMessage, "content">;
}
