import { z } from "zod";

/** Hooks of the repository: there are `none`, they `ran`, or they did not, because they are not trusted or have changed since. */
export const hooksRunSchema = z.object({
  outcome: z.enum(["none", "ran", "not-trusted", "changed"]),
  /** The end of what they printed. */
  output: z.string(),
});
export type HooksRun = z.infer<typeof hooksRunSchema>;
