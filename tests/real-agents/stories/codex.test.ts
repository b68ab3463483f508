import { mainAgents } from "../agents/main-agents.ts";
import { describeAgent } from "./agent-stories.ts";

describeAgent(mainAgents.codex, { diffStart: 11, keptOutput: "live" });
