import { z } from "zod";
import { approvalSchema } from "./approval.ts";
import { conversationMessageSchema } from "./conversation-message.ts";
import { executionSchema } from "./execution.ts";
import { attemptIdSchema } from "./ids.ts";
import { queueStateSchema } from "./queued-message.ts";

/** A conversation and what a client needs to act on it. */
export const conversationStateSchema = z.object({
  messages: z.array(conversationMessageSchema),
  isExecuting: z.boolean(),
  currentExecution: executionSchema.optional(),
  canSendMessage: z.boolean(),
  /** The displayed attempt; null for a task without one. */
  attemptId: attemptIdSchema.nullable(),
  ...queueStateSchema.shape,
  approvals: z.array(approvalSchema),
});
export type ConversationState = z.infer<typeof conversationStateSchema>;
