import { z } from "zod";
import { projectIdSchema } from "./ids.ts";

/** Megabytes (of 1024 × 1024 bytes); 0: no limit; null: three quarters of the memory of the machine that the agent runs on. */
const memoryMbSchema = z
  .int()
  .min(0)
  .max(64 * 1024 * 1024)
  .nullable();
/** Processes and their threads; 0: no limit. */
const processesSchema = z.int().min(0).max(4_000_000);

/** What all processes of one execution may use together (L7). */
export const resourceLimitsSchema = z.object({ memoryMb: memoryMbSchema, processes: processesSchema });
export type ResourceLimits = z.infer<typeof resourceLimitsSchema>;

/** The limits of the settings. Those of a project replace the same ones. */
export const resourceSettingsSchema = resourceLimitsSchema.extend({
  perProject: z.record(projectIdSchema, z.object({ memoryMb: memoryMbSchema.exactOptional(), processes: processesSchema.exactOptional() })),
});
export type ResourceSettings = z.infer<typeof resourceSettingsSchema>;

/** What an execution may use only so much of. */
export const limitedResourceSchema = z.enum(["memory", "processes"]);
/** What an execution may use only so much of. */
export type LimitedResource = z.infer<typeof limitedResourceSchema>;

/** An execution used more than it may: bytes of memory, or processes and threads. */
export const exceededResourceSchema = z.object({
  resource: limitedResourceSchema,
  limit: z.int().positive(),
  used: z.int().nonnegative(),
});
export type ExceededResource = z.infer<typeof exceededResourceSchema>;
