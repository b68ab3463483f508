import { furtherAgents } from "../agents/further-agents.ts";
import { describeAgent } from "./agent-stories.ts";

describeAgent(furtherAgents.pi, { diffStart: 9, keptOutput: "at-end" });
