import { furtherAgents } from "../agents/further-agents.ts";
import { describeAgent } from "./agent-stories.ts";

describeAgent(furtherAgents.claudeAgentAcp, { diffStart: 9, keptOutput: "none" });
