import { z } from "zod";
import { issueTextSchema } from "./coded-texts/issue-text.ts";
import { storageFaults } from "./storage-fault.ts";

/** Why the server cannot store anything. */
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
  /** For the code `storage-unavailable`: why the server cannot store anything. */
  cause: storageFaultSchema.exactOptional(),
  /** A shell command that removes the cause. */
  command: z.string().exactOptional(),
  /** Each invalid field of the input; `text` is the reason as data. */
  errors: z.array(z.object({ path: z.string(), message: z.string(), text: issueTextSchema.optional() })).optional(),
});
export type Problem = z.infer<typeof problemSchema>;
