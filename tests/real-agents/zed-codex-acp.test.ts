import { furtherAgents } from "./further-agents.ts";
import { describeFurtherAgent } from "./further-stories.ts";

describeFurtherAgent(furtherAgents.codexAcp, {
  diffStart: 11,
  tokens: "none",
  asks: true,
  remembersCommands: false,
  keepsOutput: false,
  failure401: /did not accept .* API key .* Check the key/,
});
