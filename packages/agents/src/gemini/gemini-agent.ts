import { acpModules } from "../acp/acp-agent.ts";
import type { AcpOptions } from "../acp/acp-options.ts";
import type { DrivenAgentKind } from "../driver/create-driven-agent.ts";

const login = { command: "gemini", variable: "GEMINI_API_KEY" };

const options: AcpOptions = {
  start: { args: ["--acp"] },
  trusted: { environment: { GEMINI_CLI_TRUST_WORKSPACE: "true" } },
  // then settings, hooks, MCP servers and extensions of the repository do not count, and of its .env these names alone would
  untrusted: {
    environment: { GEMINI_CLI_TRUST_WORKSPACE: "false" },
    blanks: ["GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_CLOUD_PROJECT", "GOOGLE_CLOUD_LOCATION"],
  },
  // they can change its instructions and where it sends prompts
  variables: { file: ".env", settings: ".gemini" },
  // with reading offered, it cannot create a file: it takes our “there is none” for a failure
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
  // 0.45 opens a session again without what was said in it, and says that it has opened it
  program: { program: "gemini", install: "npm install -g @google/gemini-cli", leastVersion: "0.51.0" },
  environment: ["GEMINI_*", "GOOGLE_*", "HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY", "NODE_EXTRA_CA_CERTS"],
  fixedEnvironment: {
    // it starts itself a second time otherwise, and the first one passes no signal on
    GEMINI_CLI_NO_RELAUNCH: "true",
    // What a command printed on a terminal of its own is rows of coloured cells, which its ACP side leaves out. Without a
    // terminal it is text, sent when the command has ended: nothing is sent while it runs, whatever a client offers, and
    // the exit code only in words, where nothing was printed.
    GEMINI_PTY_INFO: "child_process",
  },
  models: ["auto", "gemini-2.5-pro", "gemini-2.5-flash", "gemini-2.5-flash-lite"].map((id) => ({ id, name: id })),
  options,
  permissionControl: "asks",
  planSupport: "own",
  ...acpModules,
  login,
};
