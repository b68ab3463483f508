import { furtherAgents } from "./further-agents.ts";
import { describeFurtherAgent } from "./further-stories.ts";

describeFurtherAgent(furtherAgents.copilot, {
  diffStart: 9,
  tokens: "exact",
  asks: true,
  remembersCommands: true,
  keepsOutput: true,
  failure401: /did not accept .* API key .* Check the key/,
});
