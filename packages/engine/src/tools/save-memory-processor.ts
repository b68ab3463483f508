import { stringField } from "./json-fields.ts";
import { summarize } from "./summaries.ts";
import type { ToolProcessor } from "./tool-processor.ts";

const verbs = { running: "Remembering", done: "Remembered", failed: "Could not remember" };

/** What Gemini CLI keeps for later sessions. */
export const saveMemoryProcessor: ToolProcessor = {
  toolNames: ["save_memory"],
  present: (observation) => ({ summary: summarize(observation, verbs, stringField(observation.input, "fact") ?? "a fact") }),
};
