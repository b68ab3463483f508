import { approvalDecisionSchema } from "@skein/contracts";
import { z } from "zod";

/** The lines on the native agent's stdin after the first. */
export const nativeControlSchema = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("approval"),
    toolUseId: z.string(),
    decision: approvalDecisionSchema,
    reason: z.string().nullable(),
  }),
  z.object({ type: z.literal("stop") }),
]);
export type NativeControl = z.infer<typeof nativeControlSchema>;
export type ApprovalAnswer = Extract<NativeControl, { type: "approval" }>;

export function encodeNativeControl(control: NativeControl): string {
  return `${JSON.stringify(control)}\n`;
}
