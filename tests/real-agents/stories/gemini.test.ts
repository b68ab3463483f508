import { mainAgents } from "../agents/main-agents.ts";
import { describeAgent } from "./agent-stories.ts";

describeAgent(mainAgents.gemini, { diffStart: 9, keptOutput: "none" });
