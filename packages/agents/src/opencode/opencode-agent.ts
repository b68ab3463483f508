import { acpModules } from "../acp/acp-agent.ts";
import type { AcpOptions } from "../acp/acp-options.ts";
import type { DrivenAgentKind } from "../driver/create-driven-agent.ts";

/** Left to itself it asks nothing; what only looks needs no question. Who answers depends on the permission mode. */
const asking = JSON.stringify({
  "*": "ask",
  read: "allow",
  list: "allow",
  glob: "allow",
  grep: "allow",
  lsp: "allow",
  skill: "allow",
  task: "allow",
  todoread: "allow",
  todowrite: "allow",
  edit: "ask",
  bash: "ask",
  webfetch: "ask",
  websearch: "ask",
  external_directory: "ask",
  doom_loop: "ask",
});

const login = { command: "opencode auth login" };

const options: AcpOptions = {
  start: { args: ["acp"], environment: { OPENCODE_PERMISSION: asking } },
  // its settings then do not count, nor its instructions, which are only words: they are named again
  untrusted: {
    environment: {
      OPENCODE_DISABLE_PROJECT_CONFIG: "1",
      OPENCODE_CONFIG_CONTENT: JSON.stringify({ instructions: ["{directory}/AGENTS.md", "{directory}/CLAUDE.md"] }),
    },
  },
  // up to 1.18.33 at least, it imports .opencode/plugin and what opencode.json names as plugins in spite of that
  refused: [".opencode", "opencode.json", "opencode.jsonc"],
  // it asks us to write what it writes itself, whether offered or not
  files: { read: false, write: false },
  terminals: false,
  // its tool for that is there only for its own interface
  answersWithPlan: true,
  login,
};

export const opencodeAgentKind: DrivenAgentKind = {
  id: "opencode",
  name: "opencode",
  catalogueIds: ["opencode"],
  // 1.17 calls a request that the model's API refused a success; 1.14 asks without saying for which command
  program: { program: "opencode", install: "npm install -g opencode-ai", leastVersion: "1.18.3" },
  environment: ["OPENCODE_*", "HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY", "NODE_EXTRA_CA_CERTS"],
  fixedEnvironment: { OPENCODE_DISABLE_AUTOUPDATE: "1" },
  models: [],
  options,
  login,
  permissionControl: "asks",
  planSupport: "own",
  ...acpModules,
};
