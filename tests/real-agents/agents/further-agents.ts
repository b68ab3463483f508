import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findClaude } from "../../support/claude-code.ts";
import { cliFolder } from "../acp-scenarios.ts";
import type { Limit } from "../matrix/stories.ts";
import { bin, claudeTools, codexTools, type TestedAgent, toClaudeEnvironment, writeJson } from "./tested-agent.ts";

const qwen: TestedAgent = {
  id: "acp:qwen",
  name: "Qwen Code",
  packages: ["@qwen-code/qwen-code"],
  api: "openai-chat",
  command: [bin("qwen"), "--acp", "--approval-mode", "default"],
  setUp(home, { url, apiKey }) {
    writeJson(home, ".qwen/settings.json", {
      security: { auth: { selectedType: "openai" } },
      telemetry: { enabled: false },
      model: { generationConfig: { maxRetries: 0 } },
    });
    return { OPENAI_API_KEY: apiKey, OPENAI_BASE_URL: url, OPENAI_MODEL: "qwen3-vl-plus" };
  },
  run: (command) => ({ name: "run_shell_command", arguments: { command, description: "Runs it", is_background: false } }),
  write: (path, content) => ({ name: "write_file", arguments: { file_path: path, content } }),
  read: (path) => ({ name: "read_file", arguments: { file_path: path } }),
  edit: (path, oldText, newText) => ({ name: "edit", arguments: { file_path: path, old_string: oldText, new_string: newText } }),
  limits: {
    "error-429": {
      offered: "partly",
      note: "With its default settings Qwen Code was still retrying after 19 minutes. Skein shows that it waits; Stop ends it.",
      shown: /limits qwen's requests .* Wait a minute/,
    },
    "error-quota": {
      offered: "partly",
      note: "Qwen Code reports a used-up quota as a rate limit, and so does Skein.",
      shown: /limits qwen's requests/,
    },
  },
};

const claudeAgentAcp: TestedAgent = {
  id: "acp:claude-agent-acp",
  name: "claude-agent-acp",
  packages: ["@agentclientprotocol/claude-agent-acp"],
  api: "anthropic",
  command: [bin("claude-agent-acp")],
  setUp: (_, model) => ({ ...toClaudeEnvironment(model), CLAUDE_CODE_EXECUTABLE: findClaude() }),
  ...claudeTools,
  limits: {},
};

const codexAcp: TestedAgent = {
  id: "acp:codex-acp",
  name: "codex-acp (Zed)",
  packages: ["@zed-industries/codex-acp"],
  api: "openai-responses",
  command: [bin("codex-acp")],
  setUp(home, { url, apiKey }) {
    mkdirSync(join(home, ".codex"));
    const config = `model = "gpt-5.5"\napproval_policy = "untrusted"\nsandbox_mode = "danger-full-access"\nmodel_provider = "scripted"\n[model_providers.scripted]\nname = "scripted"\nbase_url = "${url}"\nwire_api = "responses"\nenv_key = "SCRIPTED_KEY"\nrequest_max_retries = 0\nstream_max_retries = 1\n`;
    writeFileSync(join(home, ".codex/config.toml"), config);
    return { CODEX_HOME: join(home, ".codex"), SCRIPTED_KEY: apiKey };
  },
  ...codexTools,
  limits: {
    tokens: { offered: "no", note: "codex-acp reports how full the context is, not the tokens that were used." },
    "error-quota": {
      offered: "partly",
      note: "codex-acp reports a used-up quota as a rate limit, and so does Skein.",
      shown: /limits codex-acp's requests/,
    },
  },
};

const neverAsks = "pi has no permissions: it never asks. Skein reports that in the conversation once pi has acted.";

/** With a stderr that is empty. */
const silent: Limit = {
  offered: "no",
  note: "pi-acp does not report why a request to the model failed. Skein shows that the agent ended without an answer.",
  shown: /ended without an answer/,
};

const pi: TestedAgent = {
  id: "acp:pi",
  name: "pi",
  packages: ["pi-acp", "@earendil-works/pi-coding-agent"],
  api: "openai-chat",
  command: [bin("pi-acp")],
  setUp(home, { url, apiKey }) {
    const models = [{ id: "scripted-model", input: ["text", "image"] }];
    writeJson(home, ".pi/agent/models.json", { providers: { scripted: { baseUrl: url, api: "openai-completions", apiKey, models } } });
    writeJson(home, ".pi/agent/settings.json", {
      defaultProvider: "scripted",
      defaultModel: "scripted-model",
      quietStartup: true,
      retry: { enabled: false },
    });
    return { PATH: `${cliFolder}:${process.env.PATH}`, PI_OFFLINE: "1" };
  },
  run: (command) => ({ name: "bash", arguments: { command } }),
  write: (path, content) => ({ name: "write", arguments: { path, content } }),
  read: (path) => ({ name: "read", arguments: { path } }),
  edit: (path, oldText, newText) => ({ name: "edit", arguments: { path, edits: [{ oldText, newText }] } }),
  limits: {
    allow: { offered: "no", note: neverAsks },
    deny: { offered: "no", note: neverAsks },
    always: { offered: "no", note: neverAsks },
    tokens: { offered: "no", note: "pi-acp reports how full the context is, not the tokens that were used." },
    "error-401": silent,
    "error-429": silent,
    "error-500": silent,
    "error-quota": silent,
    "error-network": silent,
  },
};

const copilot: TestedAgent = {
  id: "acp:copilot",
  name: "GitHub Copilot CLI",
  packages: ["@github/copilot"],
  api: "openai-chat",
  command: [bin("copilot"), "--acp"],
  setUp: (home, { url, apiKey }) => ({
    COPILOT_HOME: join(home, ".copilot"),
    COPILOT_OFFLINE: "true",
    COPILOT_AUTO_UPDATE: "false",
    COPILOT_PROVIDER_BASE_URL: url,
    COPILOT_PROVIDER_API_KEY: apiKey,
    COPILOT_MODEL: "gpt-4.1",
  }),
  run: (command) => ({ name: "bash", arguments: { command, description: "Runs it" } }),
  write: (path, content) => ({ name: "create", arguments: { path, file_text: content } }),
  read: (path) => ({ name: "view", arguments: { path } }),
  edit: (path, oldText, newText) => ({ name: "edit", arguments: { path, old_str: oldText, new_str: newText } }),
  limits: {},
};

/** Agents that users add to config.json as `acp:<name>`. */
export const furtherAgents = { qwen, claudeAgentAcp, codexAcp, pi, copilot };
