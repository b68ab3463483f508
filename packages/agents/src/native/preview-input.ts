import { requestProviderSchema } from "@skein/contracts";
import { z } from "zod";
import { type NativeInput, nativeInputSchema } from "./native-input.ts";

/**
 * The first line on the preview program's stdin: the input of the next turn, without keys and MCP servers. One line per message follows.
 */
export const previewOrderSchema = nativeInputSchema.omit({ history: true, measured: true }).extend({
  /** The format; default: the model's own. */
  provider: requestProviderSchema.optional(),
  /** False: the turn is running, and its next request has no new message. */
  hasMessage: z.boolean(),
  mcpServerNames: z.array(z.string()),
  /** Folders of earlier executions with MCP records, in order of precedence. */
  executionFolders: z.array(z.string()),
});
export type PreviewOrder = z.infer<typeof previewOrderSchema>;
export type PreviewInput = PreviewOrder & Pick<NativeInput, "history" | "measured">;
