import { z } from "zod";
import { storageFaults } from "./storage-fault.ts";

/** What keeps the server from storing anything. */
export const storageFaultSchema = z.enum(storageFaults);

/**
 * RFC 9457. `code` is stable; the parameters of its text (`ProblemText`) are extension members. `detail` is the same in English.
 */
export const problemSchema = z.looseObject({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  code: z.string(),
  /** Of code `storage-unavailable`: what keeps the server from storing anything. */
  cause: storageFaultSchema.exactOptional(),
  /** A command for a terminal that removes the cause. */
  command: z.string().exactOptional(),
  /** Where the input was wrong. */
  errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
});
export type Problem = z.infer<typeof problemSchema>;
