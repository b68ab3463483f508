import { z } from "zod";
import { agentIdSchema, modelIdSchema } from "./agent.ts";
import { projectIdSchema } from "./ids.ts";

/** An agent and a model to continue with. Null: the agent's default model. */
export const fallbackSchema = z.object({ agent: agentIdSchema, model: modelIdSchema.nullable() });
export type Fallback = z.infer<typeof fallbackSchema>;

const choices = {
  /** Resume by itself when the limit is over. */
  resume: z.boolean(),
  /** Overload counts as a limit, too. */
  onOverload: z.boolean(),
};

/** What happens at a provider's limit in one project. Absent: as in the settings of the installation. */
export const projectParkingSchema = z.object({
  resume: choices.resume.exactOptional(),
  onOverload: choices.onOverload.exactOptional(),
  /** In order. The first one without a limit continues; empty: the execution waits. */
  fallbacks: z.array(fallbackSchema).max(20).exactOptional(),
});
export type ProjectParking = z.infer<typeof projectParkingSchema>;

/** What happens to an execution when its agent's provider accepts no more requests. */
export const parkingSettingsSchema = z.object({ ...choices, perProject: z.record(projectIdSchema, projectParkingSchema) });
export type ParkingSettings = z.infer<typeof parkingSettingsSchema>;

/** Changes what a parked execution will do. */
export const updateParkedSchema = z.object({ isAutomatic: z.boolean() });
