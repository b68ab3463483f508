import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findClaude } from "../../support/claude-code.ts";
import { toConfig } from "../codex/codex-task.ts";
import { opencodeEnvironment } from "./opencode-environment.ts";
import { bin, claudeTools, codexTools, type TestedAgent, toClaudeEnvironment, writeJson } from "./tested-agent.ts";

const native: TestedAgent = {
  id: "native",
  name: "Skein's own agent",
  packages: [],
  api: "anthropic",
  model: "anthropic/claude-sonnet-5",
  setUp: (_, { url, apiKey }) => ({ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: apiKey }),
  run: (command) => ({ name: "bash", arguments: { command } }),
  write: (path, content) => ({ name: "write", arguments: { path, content } }),
  read: (path) => ({ name: "read", arguments: { path } }),
  edit: (path, oldText, newText) => ({ name: "edit", arguments: { path, oldText, newText } }),
  limits: {},
};

const claudeCode: TestedAgent = {
  id: "claude-code",
  name: "Claude Code",
  packages: ["@anthropic-ai/claude-code"],
  api: "anthropic",
  command: [findClaude()],
  setUp: (_, model) => toClaudeEnvironment(model),
  ...claudeTools,
  limits: {},
};

const codex: TestedAgent = {
  id: "codex",
  name: "Codex",
  packages: ["@openai/codex"],
  api: "openai-responses",
  command: [bin("codex")],
  setUp(home, { url, apiKey }) {
    mkdirSync(join(home, ".codex"));
    writeFileSync(join(home, ".codex/config.toml"), toConfig(url, ""));
    return { CODEX_HOME: join(home, ".codex"), SCRIPTED_KEY: apiKey };
  },
  ...codexTools,
  limits: {
    "error-network": {
      offered: "partly",
      note: "Codex waits for the network and does not give up. Skein shows that it waits; Stop ends it.",
      shown: /waiting for network/,
    },
  },
};

const gemini: TestedAgent = {
  id: "gemini",
  name: "Gemini CLI",
  packages: ["@google/gemini-cli"],
  api: "gemini",
  model: "gemini-2.5-flash",
  command: [bin("gemini")],
  setUp(home, { url, apiKey }) {
    writeJson(home, ".gemini/settings.json", { general: { maxAttempts: 2 } });
    return { GEMINI_API_KEY: apiKey, GOOGLE_GEMINI_BASE_URL: url };
  },
  run: (command) => ({ name: "run_shell_command", arguments: { command, description: "Runs it" } }),
  write: (path, content) => ({ name: "write_file", arguments: { file_path: path, content } }),
  read: (path) => ({ name: "read_file", arguments: { file_path: path } }),
  edit: (path, oldText, newText) => ({
    name: "replace",
    arguments: { file_path: path, instruction: "Changes it", old_string: oldText, new_string: newText },
  }),
  limits: {
    cards: { offered: "partly", note: "Gemini CLI reports neither what it read nor the exit codes of commands." },
    tokens: { offered: "partly", note: "Gemini CLI does not report which tokens were cached." },
    resume: {
      offered: "partly",
      note: "Gemini CLI sends a loaded session with tool calls in a form that its API rejects. Skein then starts a new session and gives it the conversation so far.",
    },
  },
};

const opencode: TestedAgent = {
  id: "opencode",
  name: "opencode",
  packages: ["opencode-ai"],
  api: "openai-chat",
  model: "scripted/script",
  // the package's own start file needs its install script, which is not run
  command: [bin(`../opencode-${process.platform}-${process.arch}/bin/opencode`)],
  setUp(home, { url, apiKey }) {
    const script = {
      name: "Script",
      tool_call: true,
      attachment: true,
      modalities: { input: ["text", "image"], output: ["text"] },
      limit: { context: 128_000, output: 8000 },
    };
    const provider = { npm: "@ai-sdk/openai-compatible", options: { baseURL: url, apiKey }, models: { script } };
    writeJson(home, ".config/opencode/opencode.json", { model: "scripted/script", provider: { scripted: provider } });
    return opencodeEnvironment(home);
  },
  run: (command) => ({ name: "bash", arguments: { command, description: "Runs it" } }),
  write: (filePath, content) => ({ name: "write", arguments: { filePath, content } }),
  read: (filePath) => ({ name: "read", arguments: { filePath } }),
  edit: (filePath, oldString, newString) => ({ name: "edit", arguments: { filePath, oldString, newString } }),
  limits: {
    tokens: { offered: "partly", note: "opencode reports the tokens of the last request only. Skein shows them as “at least”." },
  },
};

/** The agents that Skein brings along or looks for on PATH. */
export const mainAgents = { native, claudeCode, codex, gemini, opencode };
