import { z } from "zod";

function idSchema<Brand extends string>(prefix: string) {
  return z
    .string()
    .max(200)
    .regex(new RegExp(`^${prefix}_[0-9A-Za-z_-]+$`), `expected an id that starts with ${prefix}_`)
    .brand<Brand>();
}

export const projectIdSchema = idSchema<"ProjectId">("prj");
export const taskIdSchema = idSchema<"TaskId">("tsk");
export const attemptIdSchema = idSchema<"AttemptId">("att");
export const executionIdSchema = idSchema<"ExecutionId">("exe");
export const messageIdSchema = idSchema<"MessageId">("msg");
export const approvalIdSchema = idSchema<"ApprovalId">("apr");
export const queuedMessageIdSchema = idSchema<"QueuedMessageId">("que");
export const summaryIdSchema = idSchema<"SummaryId">("sum");
export const permissionRuleIdSchema = idSchema<"PermissionRuleId">("rul");

export type ProjectId = z.infer<typeof projectIdSchema>;
export type TaskId = z.infer<typeof taskIdSchema>;
export type AttemptId = z.infer<typeof attemptIdSchema>;
export type ExecutionId = z.infer<typeof executionIdSchema>;
export type MessageId = z.infer<typeof messageIdSchema>;
export type ApprovalId = z.infer<typeof approvalIdSchema>;
export type QueuedMessageId = z.infer<typeof queuedMessageIdSchema>;
export type SummaryId = z.infer<typeof summaryIdSchema>;
export type PermissionRuleId = z.infer<typeof permissionRuleIdSchema>;
