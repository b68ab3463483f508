import { requestProviderSchema } from "@skein/contracts";
import { z } from "zod";
import { nativeInputSchema } from "./native-input.ts";

/**
 * What the next turn would get, without keys and MCP servers. On the preview program's stdin `history` is left out of the
 * first line: each of its messages is a line of its own.
 */
export const previewInputSchema = nativeInputSchema.extend({
  /** In whose format; the model's own when left out. */
  provider: requestProviderSchema.optional(),
  /** False: the turn is running, and its next request has no new message. */
  hasMessage: z.boolean(),
  mcpServerNames: z.array(z.string()),
  /** Where what earlier executions learned of their MCP servers is looked for, in this order. */
  executionFolders: z.array(z.string()),
});
export type PreviewInput = z.infer<typeof previewInputSchema>;
