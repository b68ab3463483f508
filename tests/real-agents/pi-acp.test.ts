import { furtherAgents } from "./further-agents.ts";
import { describeFurtherAgent } from "./further-stories.ts";

describeFurtherAgent(furtherAgents.pi, {
  diffStart: 9,
  tokens: "none",
  asks: false,
  remembersCommands: false,
  keepsOutput: true,
  failure401: undefined,
});
