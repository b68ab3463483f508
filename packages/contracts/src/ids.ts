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
/** `rul_…`: grants were called rules when the prefix was chosen. */
export const grantIdSchema = idSchema<"GrantId">("rul");

export type ProjectId = z.infer<typeof projectIdSchema>;
export type TaskId = z.infer<typeof taskIdSchema>;
export type AttemptId = z.infer<typeof attemptIdSchema>;
export type ExecutionId = z.infer<typeof executionIdSchema>;
export type MessageId = z.infer<typeof messageIdSchema>;
export type ApprovalId = z.infer<typeof approvalIdSchema>;
export type QueuedMessageId = z.infer<typeof queuedMessageIdSchema>;
export type SummaryId = z.infer<typeof summaryIdSchema>;
export type GrantId = z.infer<typeof grantIdSchema>;

interface IdByPrefix {
  prj: ProjectId;
  tsk: TaskId;
  att: AttemptId;
  exe: ExecutionId;
  msg: MessageId;
  apr: ApprovalId;
  que: QueuedMessageId;
  sum: SummaryId;
  rul: GrantId;
}

const crockford = "0123456789abcdefghjkmnpqrstvwxyz";

/**
 * A prefixed id that sorts by creation time: 10 characters of epoch milliseconds, 16 random ones (80 bits).
 * Two ids of the same millisecond sort at random: where order matters, use a position or a sequence number.
 */
export function createId<Prefix extends keyof IdByPrefix>(prefix: Prefix, now: number = Date.now()): IdByPrefix[Prefix] {
  let time = "";
  for (let rest = now, i = 0; i < 10; i++) {
    time = crockford.charAt(rest % 32) + time;
    rest = Math.floor(rest / 32);
  }
  let random = "";
  for (const byte of crypto.getRandomValues(new Uint8Array(16))) random += crockford.charAt(byte % 32);
  return `${prefix}_${time}${random}` as IdByPrefix[Prefix];
}
