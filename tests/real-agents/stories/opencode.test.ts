import { mainAgents } from "../agents/main-agents.ts";
import { describeAgent } from "./agent-stories.ts";

describeAgent(mainAgents.opencode, { diffStart: 8, keptOutput: "at-end" });
