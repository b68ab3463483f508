import { furtherAgents } from "../agents/further-agents.ts";
import { describeAgent } from "./agent-stories.ts";

describeAgent(furtherAgents.codexAcp, { diffStart: 11, keptOutput: "none" });
