import { z } from "zod";
import { modelIdSchema } from "./agent.ts";

/** The agent's own id of a mode of its session. */
export const agentModeIdSchema = z.string().min(1).max(500);

const described = { name: z.string().max(500), description: z.string().max(2000).optional() };

/** The choices of an agent's session, as reported when it was opened. */
export const sessionOptionsSchema = z.object({
  models: z.array(z.object({ id: modelIdSchema, ...described })).max(500),
  /** The session's initial model: used while none is chosen. */
  currentModel: modelIdSchema.optional(),
  modes: z.array(z.object({ id: agentModeIdSchema, ...described })).max(100),
  /** Whether one of its modes is a plan mode. */
  hasPlanMode: z.boolean(),
});
export type SessionOptions = z.infer<typeof sessionOptionsSchema>;
