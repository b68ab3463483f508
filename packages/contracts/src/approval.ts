import { z } from "zod";
import { workingModeSchema } from "./agent.ts";
import { storedTextSchema } from "./coded-texts/coded-text.ts";
import { approvalIdSchema, attemptIdSchema, executionIdSchema, taskIdSchema } from "./ids.ts";
import { jsonValueSchema, timestampSchema } from "./json.ts";
import { permissionGrantSchema } from "./permission-grant.ts";

/** `allow` once, `allow-always` (stores a grant), or `deny`. */
export const approvalDecisionSchema = z.enum(["allow", "allow-always", "deny"]);
export type ApprovalDecision = z.infer<typeof approvalDecisionSchema>;

/** To an agent's questions, by question text. */
export const approvalAnswersSchema = z.record(
  z.string().max(10_000),
  z.union([z.string().max(10_000), z.array(z.string().max(10_000)).max(50)]),
);
export type ApprovalAnswers = z.infer<typeof approvalAnswersSchema>;

/** How an approved plan is carried out. `text` is the plan as the user edited it; absent where it is followed as proposed. */
export const planApprovalSchema = z.object({ mode: workingModeSchema, text: z.string().min(1).max(100_000).optional() });
export type PlanApproval = z.infer<typeof planApprovalSchema>;

/**
 * Somebody other than the user answered, or tried to. `answer-refused`: a process of a running agent sent an answer; it was
 * refused and the question is still open. `ran-unanswered`: the agent used the tool though nobody had answered.
 */
export const approvalTamperingSchema = z.object({ kind: z.enum(["answer-refused", "ran-unanswered"]), at: timestampSchema });
export type ApprovalTampering = z.infer<typeof approvalTamperingSchema>;

const base = z.object({
  id: approvalIdSchema,
  taskId: taskIdSchema,
  attemptId: attemptIdSchema,
  executionId: executionIdSchema,
  toolUseId: z.string(),
  toolName: z.string(),
  input: jsonValueSchema,
  reason: z.string().nullable(),
  /** The same as data, where the reason is a warning of Skein and not the agent's own words. */
  reasonText: storedTextSchema,
  /** What “always” would allow; absent where nothing can be allowed permanently. */
  grant: permissionGrantSchema.optional(),
  /** How the agent calls its question, where that is not the tool use id. */
  requestId: z.string().optional(),
  tampering: approvalTamperingSchema.optional(),
  /** Of a tool that writes a whole file: whether the file was there when it was asked. Absent for all others. */
  overwrites: z.boolean().optional(),
  requestedAt: timestampSchema,
});

/** Answered once; `expired` when its execution ended before anyone answered. */
export const approvalSchema = z.discriminatedUnion("status", [
  base.extend({ status: z.literal("pending") }),
  base.extend({
    status: z.literal("answered"),
    decision: approvalDecisionSchema,
    answerReason: z.string().nullable(),
    answers: approvalAnswersSchema.optional(),
    /** Of an approved plan. */
    plan: planApprovalSchema.optional(),
    resolvedAt: timestampSchema,
  }),
  base.extend({ status: z.literal("expired"), resolvedAt: timestampSchema }),
]);
export type Approval = z.infer<typeof approvalSchema>;
