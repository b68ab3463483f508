import { z } from "zod";
import { approvalSchema } from "./approval.ts";
import { conversationMessageSchema } from "./conversation-message.ts";
import { executionSchema } from "./execution.ts";
import { attemptIdSchema } from "./ids.ts";
import { queueStateSchema } from "./queued-message.ts";

export const conversationStateSchema = z.object({
  messages: z.array(conversationMessageSchema),
  isExecuting: z.boolean(),
  currentExecution: executionSchema.optional(),
  canSendMessage: z.boolean(),
  /** What else the page shows of the attempt. */
  attemptId: attemptIdSchema.nullable(),
  ...queueStateSchema.shape,
  approvals: z.array(approvalSchema),
});
export type ConversationState = z.infer<typeof conversationStateSchema>;
