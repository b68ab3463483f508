import { requestProviderSchema } from "@skein/contracts";
import { z } from "zod";
import { type NativeInput, nativeInputSchema } from "./native-input.ts";

/** The first line on the preview program's stdin: what the next turn would get, without keys and MCP servers. A line per message follows. */
export const previewOrderSchema = nativeInputSchema.omit({ history: true, measured: true }).extend({
  /** In whose format; the model's own when left out. */
  provider: requestProviderSchema.optional(),
  /** False: the turn is running, and its next request has no new message. */
  hasMessage: z.boolean(),
  mcpServerNames: z.array(z.string()),
  /** Where what earlier executions learned of their MCP servers is looked for, in this order. */
  executionFolders: z.array(z.string()),
});
export type PreviewOrder = z.infer<typeof previewOrderSchema>;
export type PreviewInput = PreviewOrder & Pick<NativeInput, "history" | "measured">;
