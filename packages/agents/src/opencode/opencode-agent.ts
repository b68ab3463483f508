import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { acpModules } from "../acp/acp-agent.ts";
import type { AcpOptions } from "../acp/acp-options.ts";
import type { DrivenAgentKind } from "../driver/create-driven-agent.ts";
import { toNetworkRule } from "../driver/to-launch-sandbox.ts";

/** By default it asks nothing; read-only tools need no approval. The permission mode decides who answers. */
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
  // its settings are then ignored, and its instructions, too, which are only text: they are named again
  untrusted: {
    environment: {
      OPENCODE_DISABLE_PROJECT_CONFIG: "1",
      OPENCODE_CONFIG_CONTENT: JSON.stringify({ instructions: ["{directory}/AGENTS.md", "{directory}/CLAUDE.md"] }),
    },
  },
  // up to 1.18.33 at least, it still imports .opencode/plugin and the plugins of opencode.json
  refused: [".opencode", "opencode.json", "opencode.jsonc"],
  // it asks Skein to write what it writes itself, whether offered or not
  files: { read: false, write: false },
  terminals: false,
  // its tool for that exists only in its own interface
  answersWithPlan: true,
  login,
};

export const opencodeAgentKind: DrivenAgentKind = {
  id: "opencode",
  name: "opencode",
  catalogueIds: ["opencode"],
  // 1.17 reports a request that the model's API rejected as success; 1.14 asks without naming the command
  program: { program: "opencode", install: "npm install -g opencode-ai", leastVersion: "1.18.3" },
  environment: ["OPENCODE_*", "HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY", "NODE_EXTRA_CA_CERTS"],
  fixedEnvironment: { OPENCODE_DISABLE_AUTOUPDATE: "1" },
  models: [],
  options,
  login,
  permissionControl: "asks",
  planSupport: "own",
  ...acpModules,
  sandbox: {
    hosts: ["opencode.ai", "models.dev", "api.anthropic.com", "api.openai.com", "generativelanguage.googleapis.com", "openrouter.ai"],
    home: [
      {
        path: ".config/opencode",
        reads: [
          ...["opencode.json", "opencode.jsonc", "config.json", "AGENTS.md", "agent", "agents", "command", "commands", "mode", "modes"],
          ...["plugin", "plugins", "skill", "skills", "theme", "themes", "tool", "tools"],
        ],
      },
      { path: ".local/share/opencode", shares: ["auth.json"] },
    ],
    findHosts: async ({ HOME = "" }) => [
      ...(await findAddresses(join(HOME, ".config/opencode/opencode.json"))),
      ...(await findAddresses(join(HOME, ".config/opencode/opencode.jsonc"))),
    ],
  },
};

/** The providers that its settings define. */
async function findAddresses(path: string): Promise<string[]> {
  const settings = await readFile(path, "utf8").catch(() => "");
  return [...settings.matchAll(/"baseURL"\s*:\s*"([^"]+)"/g)].flatMap(([, address = ""]) => toNetworkRule(address));
}
