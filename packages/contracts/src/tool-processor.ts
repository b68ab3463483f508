import { z } from "zod";
import { timestampSchema } from "./json.ts";

/** A file of the user's that shows tools in its own way (T8). */
export const toolProcessorFileSchema = z.object({
  /** Its name in the folder. */
  file: z.string(),
  /** What it claims by name. */
  toolNames: z.array(z.string()),
  /** Whether it also claims tools by the form of their names. */
  recognises: z.boolean(),
  /** `failed`: it could not be loaded. `disabled`: it did not answer in time, and is not asked again until it changes. */
  state: z.enum(["ready", "failed", "disabled"]),
  /** The last failure, also of a file that is ready: its cards are then shown as if it were not there. */
  error: z.object({ reason: z.string(), at: timestampSchema }).nullable(),
});
export type ToolProcessorFile = z.infer<typeof toolProcessorFileSchema>;

/** The tool processors of the user, and the folder that they are loaded from. */
export const toolProcessorListSchema = z.object({
  /** Where the files are looked for. */
  folder: z.string(),
  files: z.array(toolProcessorFileSchema),
});
export type ToolProcessorList = z.infer<typeof toolProcessorListSchema>;
