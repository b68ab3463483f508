import { z } from "zod";
import { modelIdSchema } from "./agent.ts";

/** A mode of an agent's own, as its session names it. */
export const agentModeIdSchema = z.string().min(1).max(500);

const described = { name: z.string().max(500), description: z.string().max(2000).optional() };

/** What an agent's session offers to choose from, as the agent reported it when the session was opened. */
export const sessionOptionsSchema = z.object({
  models: z.array(z.object({ id: modelIdSchema, ...described })).max(500),
  /** The model that the session began with: what is used while nothing is chosen. */
  currentModel: modelIdSchema.optional(),
  modes: z.array(z.object({ id: agentModeIdSchema, ...described })).max(100),
  /** Whether one of its modes is for planning. */
  hasPlanMode: z.boolean(),
});
export type SessionOptions = z.infer<typeof sessionOptionsSchema>;
