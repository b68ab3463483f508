import { z } from "zod";
import { actorSchema } from "./actor.ts";
import { incomingHookIdSchema, projectIdSchema } from "./ids.ts";
import { timestampSchema } from "./json.ts";
import { automationActionSchema, automationRunSchema } from "./schedule.ts";
import { automationNameSchema } from "./template.ts";

/** Lets another program start a task or send a message: `POST /api/hooks/<id>`. */
export const incomingHookSchema = z.object({
  id: incomingHookIdSchema,
  projectId: projectIdSchema,
  name: z.string(),
  enabled: z.boolean(),
  /** Fields of the delivery are variables: `{{issue.title}}`. */
  action: automationActionSchema,
  /** Who saved it last: what it starts is theirs. */
  by: actorSchema.exactOptional(),
  createdAt: timestampSchema,
  updatedAt: timestampSchema,
  lastRun: automationRunSchema.nullable(),
});
export type IncomingHook = z.infer<typeof incomingHookSchema>;

/** A new incoming webhook. */
export const createIncomingHookSchema = z.object({
  projectId: projectIdSchema,
  name: automationNameSchema,
  enabled: z.boolean().default(true),
  action: automationActionSchema,
});
/** A new incoming webhook in a request, before defaults. */
export type CreateIncomingHook = z.input<typeof createIncomingHookSchema>;

/** Changes of an incoming webhook; absent fields keep their values. */
export const updateIncomingHookSchema = z.object({
  name: automationNameSchema.exactOptional(),
  enabled: z.boolean().exactOptional(),
  action: automationActionSchema.exactOptional(),
});
export type UpdateIncomingHook = z.infer<typeof updateIncomingHookSchema>;

/** The only answer with the secret. */
export const issuedHookSchema = z.object({ hook: incomingHookSchema, secret: z.string() });
export type IssuedHook = z.infer<typeof issuedHookSchema>;

/** `duplicate`: this delivery was received before. `ignored`: a test of the sender. */
export const hookReceiptSchema = z.object({ status: z.enum(["accepted", "duplicate", "ignored"]), delivery: z.string() });
export type HookReceipt = z.infer<typeof hookReceiptSchema>;
