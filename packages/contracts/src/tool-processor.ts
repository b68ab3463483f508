import { z } from "zod";
import { timestampSchema } from "./json.ts";

/** A tool processor of the user: a file that customizes how tools are displayed (T8). */
export const toolProcessorFileSchema = z.object({
  /** Its file name. */
  file: z.string(),
  /** The tool names that it handles. */
  toolNames: z.array(z.string()),
  /** Whether it also matches tools by other rules than their names. */
  recognises: z.boolean(),
  /** `failed`: it could not be loaded. `disabled`: it did not respond in time, and is not called again until it changes. */
  state: z.enum(["ready", "failed", "disabled"]),
  /** The last failure, also of a file that is ready: its cards are then shown as if it did not exist. */
  error: z.object({ reason: z.string(), at: timestampSchema }).nullable(),
});
export type ToolProcessorFile = z.infer<typeof toolProcessorFileSchema>;

/** The user's tool processors, and their folder. */
export const toolProcessorListSchema = z.object({
  /** The folder that is searched. */
  folder: z.string(),
  files: z.array(toolProcessorFileSchema),
});
export type ToolProcessorList = z.infer<typeof toolProcessorListSchema>;
