import { mainAgents } from "../agents/main-agents.ts";
import { describeAgent } from "./agent-stories.ts";

describeAgent(mainAgents.native, { diffStart: 9, keptOutput: "at-end" });
