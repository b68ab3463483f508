import { stringField } from "./json-fields.ts";
import type { ToolProcessor } from "./tool-processor.ts";

/** Instructions that an agent loads by name. */
export const skillProcessor: ToolProcessor = {
  toolNames: ["Skill", "skill", "activate_skill"],
  present: ({ input }) => ({ summary: { action: "use-skill", subject: stringField(input, "skill", "name", "command") } }),
};
