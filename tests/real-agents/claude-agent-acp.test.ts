import { furtherAgents } from "./further-agents.ts";
import { describeFurtherAgent } from "./further-stories.ts";

describeFurtherAgent(furtherAgents.claudeAgentAcp, {
  diffStart: 9,
  tokens: "exact",
  asks: true,
  remembersCommands: true,
  keepsOutput: false,
  failure401: /did not accept .* API key .* Check the key/,
});
