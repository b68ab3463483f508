import { z } from "zod";

function idSchema<Brand extends string>(prefix: string) {
  return z
    .string()
    .max(200)
    .regex(new RegExp(`^${prefix}_[0-9A-Za-z_-]+$`), `expected an id that starts with ${prefix}_`)
    .brand<Brand>();
}

/** `prj_…` */
export const projectIdSchema = idSchema<"ProjectId">("prj");
/** `tsk_…` */
export const taskIdSchema = idSchema<"TaskId">("tsk");
/** `att_…` */
export const attemptIdSchema = idSchema<"AttemptId">("att");
/** `exe_…` */
export const executionIdSchema = idSchema<"ExecutionId">("exe");
/** `msg_…` */
export const messageIdSchema = idSchema<"MessageId">("msg");
/** `apr_…` */
export const approvalIdSchema = idSchema<"ApprovalId">("apr");
/** `que_…` */
export const queuedMessageIdSchema = idSchema<"QueuedMessageId">("que");
/** `sum_…` */
export const summaryIdSchema = idSchema<"SummaryId">("sum");
/** `cmt_…` */
export const commentIdSchema = idSchema<"CommentId">("cmt");
/** `chk_…` */
export const checkRunIdSchema = idSchema<"CheckRunId">("chk");
/** `rac_…` */
export const raceIdSchema = idSchema<"RaceId">("rac");
/** `trm_…` */
export const terminalIdSchema = idSchema<"TerminalId">("trm");
/** `hst_…` */
export const hostIdSchema = idSchema<"HostId">("hst");
/** `nod_…` */
export const nodeIdSchema = idSchema<"NodeId">("nod");
/** `job_…` */
export const jobIdSchema = idSchema<"JobId">("job");
/** `rul_…`: grants were called rules when the prefix was introduced. */
export const grantIdSchema = idSchema<"GrantId">("rul");
/** `tpl_…` */
export const templateIdSchema = idSchema<"TemplateId">("tpl");
/** `sch_…` */
export const scheduleIdSchema = idSchema<"ScheduleId">("sch");
/** `hok_…` */
export const incomingHookIdSchema = idSchema<"IncomingHookId">("hok");
/** `out_…` */
export const outgoingHookIdSchema = idSchema<"OutgoingHookId">("out");
/** `usr_…` */
export const userIdSchema = idSchema<"UserId">("usr");
/** `ses_…` */
export const userSessionIdSchema = idSchema<"UserSessionId">("ses");
/** `tok_…` */
export const apiTokenIdSchema = idSchema<"ApiTokenId">("tok");
/** `inv_…` */
export const invitationIdSchema = idSchema<"InvitationId">("inv");

export type ProjectId = z.infer<typeof projectIdSchema>;
export type TaskId = z.infer<typeof taskIdSchema>;
export type AttemptId = z.infer<typeof attemptIdSchema>;
export type ExecutionId = z.infer<typeof executionIdSchema>;
export type MessageId = z.infer<typeof messageIdSchema>;
export type ApprovalId = z.infer<typeof approvalIdSchema>;
export type QueuedMessageId = z.infer<typeof queuedMessageIdSchema>;
export type SummaryId = z.infer<typeof summaryIdSchema>;
export type CommentId = z.infer<typeof commentIdSchema>;
export type CheckRunId = z.infer<typeof checkRunIdSchema>;
export type RaceId = z.infer<typeof raceIdSchema>;
export type TerminalId = z.infer<typeof terminalIdSchema>;
export type NodeId = z.infer<typeof nodeIdSchema>;
export type JobId = z.infer<typeof jobIdSchema>;
export type GrantId = z.infer<typeof grantIdSchema>;
export type TemplateId = z.infer<typeof templateIdSchema>;
export type ScheduleId = z.infer<typeof scheduleIdSchema>;
export type IncomingHookId = z.infer<typeof incomingHookIdSchema>;
export type OutgoingHookId = z.infer<typeof outgoingHookIdSchema>;
export type UserId = z.infer<typeof userIdSchema>;
export type UserSessionId = z.infer<typeof userSessionIdSchema>;
export type ApiTokenId = z.infer<typeof apiTokenIdSchema>;
export type InvitationId = z.infer<typeof invitationIdSchema>;
export type HostId = z.infer<typeof hostIdSchema>;
