import { z } from "zod";
import { endedExecutionSchema } from "./execution.ts";
import { attemptIdSchema, executionIdSchema, taskIdSchema } from "./ids.ts";
import { timestampSchema } from "./json.ts";

/**
 * An execution that ended by itself (finished, failed or was interrupted) and that nobody has looked at. An attempt has at most one
 * that is open: its last. Questions of agents are approvals, and need no item.
 */
export const inboxItemSchema = z.object({
  /** The execution's: each is in the inbox once. */
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
