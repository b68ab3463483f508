import { z } from "zod";
import { endedExecutionSchema } from "./execution.ts";
import { attemptIdSchema, executionIdSchema, taskIdSchema } from "./ids.ts";
import { timestampSchema } from "./json.ts";

/**
 * An execution that ended by itself (finished, failed or was interrupted) and that the user has not seen. An attempt has at most one open
 * item: its last. Questions of agents are approvals, and need no item.
 */
export const inboxItemSchema = z.object({
  /** The execution's id: each is in the inbox once. */
  id: executionIdSchema,
  taskId: taskIdSchema,
  attemptId: attemptIdSchema,
  execution: endedExecutionSchema,
  /** Null while it is open. */
  clearedAt: timestampSchema.nullable(),
});
export type InboxItem = z.infer<typeof inboxItemSchema>;

/** `cleared: false` puts an item back. */
export const updateInboxItemSchema = z.object({ cleared: z.boolean() });
export type UpdateInboxItem = z.infer<typeof updateInboxItemSchema>;
