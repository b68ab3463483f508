import { z } from "zod";
import { approvalIdSchema, attemptIdSchema, executionIdSchema, taskIdSchema } from "./ids.ts";
import { jsonValueSchema, timestampSchema } from "./json.ts";

export const approvalDecisionSchema = z.enum(["allow", "allow-always", "deny"]);
export type ApprovalDecision = z.infer<typeof approvalDecisionSchema>;

const base = z.object({
  id: approvalIdSchema,
  taskId: taskIdSchema,
  attemptId: attemptIdSchema,
  executionId: executionIdSchema,
  toolUseId: z.string(),
  toolName: z.string(),
  input: jsonValueSchema,
  reason: z.string().nullable(),
  requestedAt: timestampSchema,
});

/** Answered once; `expired` when its execution ended before anyone answered. */
export const approvalSchema = z.discriminatedUnion("status", [
  base.extend({ status: z.literal("pending") }),
  base.extend({
    status: z.literal("answered"),
    decision: approvalDecisionSchema,
    answerReason: z.string().nullable(),
    resolvedAt: timestampSchema,
  }),
  base.extend({ status: z.literal("expired"), resolvedAt: timestampSchema }),
]);
export type Approval = z.infer<typeof approvalSchema>;
