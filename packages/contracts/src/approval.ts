import { z } from "zod";
import { actorSchema } from "./actor.ts";
import { workingModeSchema } from "./agent.ts";
import { storedTextSchema } from "./coded-texts/coded-text.ts";
import { approvalIdSchema, attemptIdSchema, executionIdSchema, taskIdSchema } from "./ids.ts";
import { jsonValueSchema, timestampSchema } from "./json.ts";
import { permissionGrantSchema } from "./permission-grant.ts";

/** `allow` once, `allow-always` (stores a grant), or `deny`. */
export const approvalDecisionSchema = z.enum(["allow", "allow-always", "deny"]);
export type ApprovalDecision = z.infer<typeof approvalDecisionSchema>;

/** Answers to an agent's questions, by question text. */
export const approvalAnswersSchema = z.record(
  z.string().max(10_000),
  z.union([z.string().max(10_000), z.array(z.string().max(10_000)).max(50)]),
);
export type ApprovalAnswers = z.infer<typeof approvalAnswersSchema>;

/** How an approved plan is carried out. `text`: the plan as edited by the user; absent if it is unchanged. */
export const planApprovalSchema = z.object({ mode: workingModeSchema, text: z.string().min(1).max(100_000).optional() });
export type PlanApproval = z.infer<typeof planApprovalSchema>;

/**
 * Someone other than the user answered, or tried to. `answer-refused`: a process of a running agent sent an answer; it was rejected and
 * the question is still open. `ran-unanswered`: the agent used the tool without an answer.
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
  /** `reason` as data, if it is a warning of Skein and not the agent's own text. */
  reasonText: storedTextSchema,
  /** What “always” would allow; absent if nothing can be granted. */
  grant: permissionGrantSchema.optional(),
  /** The agent's id of its question, if it differs from the tool use id. */
  requestId: z.string().optional(),
  tampering: approvalTamperingSchema.optional(),
  /** For a tool that writes a whole file: whether the file existed at the time. Absent for others. */
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
    /** For an approved plan. */
    plan: planApprovalSchema.optional(),
    /** Who answered it. */
    by: actorSchema.exactOptional(),
    resolvedAt: timestampSchema,
  }),
  base.extend({ status: z.literal("expired"), resolvedAt: timestampSchema }),
]);
export type Approval = z.infer<typeof approvalSchema>;
