import { stringField } from "./json-fields.ts";
import type { ToolProcessor } from "./tool-processor.ts";

/** What Gemini CLI stores for later sessions. */
export const saveMemoryProcessor: ToolProcessor = {
  toolNames: ["save_memory"],
  present: ({ input }) => ({ summary: { action: "remember", subject: stringField(input, "fact") } }),
};
