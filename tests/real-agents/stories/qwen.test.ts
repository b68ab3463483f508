import { furtherAgents } from "../agents/further-agents.ts";
import { mainAgents } from "../agents/main-agents.ts";
import { describeAgent } from "./agent-stories.ts";

describeAgent(furtherAgents.qwen, { diffStart: 9, keptOutput: "at-end", permissionsLikeOf: mainAgents.gemini });
