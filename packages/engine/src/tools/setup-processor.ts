import { bashProcessor } from "./bash-processor.ts";
import type { ToolProcessor } from "./tool-processor.ts";

const summaries = {
  running: "Running the setup script",
  completed: "Ran the setup script",
  failed: "The setup script failed",
  denied: "The setup script was denied",
  interrupted: "The setup script was interrupted",
  "timed-out": "The setup script timed out",
} as const;

/** A project's own script, run by Skein before the first agent of a worktree. */
export const setupProcessor: ToolProcessor = {
  toolNames: ["setup"],
  present: (observation) => ({ ...bashProcessor.present(observation), summary: summaries[observation.state] }),
};
