import { acpModules } from "../acp/acp-agent.ts";
import type { AcpOptions } from "../acp/acp-options.ts";
import type { DrivenAgentKind } from "../driver/create-driven-agent.ts";

const login = { command: "gemini", variable: "GEMINI_API_KEY" };

const options: AcpOptions = {
  start: { args: ["--acp"] },
  trusted: { environment: { GEMINI_CLI_TRUST_WORKSPACE: "true" } },
  // then the repository's settings, hooks, MCP servers and extensions are ignored, and only these names of its .env would be read
  untrusted: {
    environment: { GEMINI_CLI_TRUST_WORKSPACE: "false" },
    blanks: ["GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_CLOUD_PROJECT", "GOOGLE_CLOUD_LOCATION"],
  },
  // they can change its instructions and the server that gets its prompts
  variables: { file: ".env", settings: ".gemini" },
  // if reading is offered, it cannot create files: it treats our “not found” as a failure
  files: { read: false, write: true },
  terminals: false,
  titlesAreCommands: true,
  keyLogin: { methodId: "gemini-api-key", variable: "GEMINI_API_KEY" },
  login,
};

export const geminiAgentKind: DrivenAgentKind = {
  id: "gemini",
  name: "Gemini CLI",
  catalogueIds: ["gemini"],
  // 0.45 resumes a session without its history, and reports success
  program: { program: "gemini", install: "npm install -g @google/gemini-cli", leastVersion: "0.51.0" },
  environment: ["GEMINI_*", "GOOGLE_*", "HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY", "NODE_EXTRA_CA_CERTS"],
  fixedEnvironment: {
    // otherwise it starts itself a second time, and the first process forwards no signal
    GEMINI_CLI_NO_RELAUNCH: "true",
    // The output of a command on its own terminal is rows of coloured cells, which its ACP mode omits. Without a terminal it is text that
    // is sent when the command has ended: nothing is sent while it runs, and the exit code only as text, if nothing was printed.
    GEMINI_PTY_INFO: "child_process",
  },
  models: ["auto", "gemini-2.5-pro", "gemini-2.5-flash", "gemini-2.5-flash-lite"].map((id) => ({ id, name: id })),
  options,
  permissionControl: "asks",
  planSupport: "own",
  ...acpModules,
  login,
  sandbox: {
    hosts: ["generativelanguage.googleapis.com", "cloudcode-pa.googleapis.com", "oauth2.googleapis.com", "accounts.google.com"],
    home: [
      {
        path: ".gemini",
        reads: ["settings.json", "GEMINI.md", "commands", "extensions", "policies", "trustedFolders.json"],
        shares: ["oauth_creds.json", "google_accounts.json"],
      },
    ],
  },
};
