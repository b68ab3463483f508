import { approvalAnswersSchema, approvalDecisionSchema, imagePartSchema, messageIdSchema, planApprovalSchema } from "@skein/contracts";
import { z } from "zod";

/** The lines on the native agent's stdin after the first. */
export const nativeControlSchema = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("approval"),
    toolUseId: z.string(),
    decision: approvalDecisionSchema,
    reason: z.string().nullable(),
    /** Answers to the questions of the `ask` tool, by question text. */
    answers: approvalAnswersSchema.optional(),
    /** For an approved plan. */
    plan: planApprovalSchema.optional(),
  }),
  /** A message of the user while the agent works. Duplicates of an id are ignored. */
  z.object({ type: z.literal("message"), id: messageIdSchema, text: z.string(), images: z.array(imagePartSchema) }),
  /** A budget applies: from now on, the agent asks before each call of a model. */
  z.object({ type: z.literal("ask-before-calls") }),
  /** It may make the call that it asked for. */
  z.object({ type: z.literal("call-grant"), callId: z.string() }),
  z.object({ type: z.literal("stop") }),
]);
export type NativeControl = z.infer<typeof nativeControlSchema>;
export type ApprovalAnswer = Extract<NativeControl, { type: "approval" }>;
export type SteeringMessage = Extract<NativeControl, { type: "message" }>;

export function encodeNativeControl(control: NativeControl): string {
  return `${JSON.stringify(control)}\n`;
}
