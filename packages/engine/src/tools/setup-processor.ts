import { bashProcessor } from "./bash-processor.ts";
import type { ToolProcessor } from "./tool-processor.ts";

/** A project's own script, run by Skein before the first agent of a worktree. */
export const setupProcessor: ToolProcessor = {
  toolNames: ["setup"],
  present: (observation) => ({ ...bashProcessor.present(observation), summary: { action: "set-up", state: observation.state } }),
};
