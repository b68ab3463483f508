import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { PermissionMode } from "@skein/contracts";
import {
  type ApiName,
  type ModelServer,
  type RecordedRequest,
  type Reply,
  startModelServer,
  type ToolCallReply,
} from "@skein/testkit/model-servers";
import { onTestFinished } from "vitest";
import { type AgentTask, openAgentTask } from "../support/agent-task.ts";
import { newFolder } from "../support/repository.ts";
import { cliFolder } from "./acp-scenarios.ts";

/** An agent that users add to config.json as `acp:<name>`: how it starts offline, and what its tools are called. */
export interface FurtherAgent {
  name: string;
  api: ApiName;
  command: [string, ...string[]];
  /** Writes what it needs into its home; returns its environment. */
  setUp(home: string, model: { url: string; apiKey: string }): Record<string, string>;
  run(command: string): ToolCallReply;
  write(path: string, content: string): ToolCallReply;
  read(path: string): ToolCallReply;
  edit(path: string, oldText: string, newText: string): ToolCallReply;
}

const bin = (name: string): string => join(cliFolder, name);

function writeJson(home: string, path: string, value: unknown): void {
  mkdirSync(join(home, path, ".."), { recursive: true });
  writeFileSync(join(home, path), JSON.stringify(value));
}

const qwen: FurtherAgent = {
  name: "qwen",
  api: "openai-chat",
  command: [bin("qwen"), "--acp", "--approval-mode", "default"],
  setUp(home, { url, apiKey }) {
    writeJson(home, ".qwen/settings.json", { security: { auth: { selectedType: "openai" } }, telemetry: { enabled: false } });
    return { OPENAI_API_KEY: apiKey, OPENAI_BASE_URL: url, OPENAI_MODEL: "qwen3-coder-plus" };
  },
  run: (command) => ({ name: "run_shell_command", arguments: { command, description: "Runs it", is_background: false } }),
  write: (path, content) => ({ name: "write_file", arguments: { file_path: path, content } }),
  read: (path) => ({ name: "read_file", arguments: { file_path: path } }),
  edit: (path, oldText, newText) => ({ name: "edit", arguments: { file_path: path, old_string: oldText, new_string: newText } }),
};

const claudeAgentAcp: FurtherAgent = {
  name: "claude-agent-acp",
  api: "anthropic",
  command: [bin("claude-agent-acp")],
  setUp: (_, { url, apiKey }) => ({
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: apiKey,
    CLAUDE_CODE_EXECUTABLE: bin(`../@anthropic-ai/claude-code-${process.platform}-${process.arch}/claude`),
    IS_SANDBOX: "1",
    DISABLE_TELEMETRY: "1",
    DISABLE_ERROR_REPORTING: "1",
    DISABLE_AUTOUPDATER: "1",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    CLAUDE_CODE_MAX_RETRIES: "1",
  }),
  run: (command) => ({ name: "Bash", arguments: { command, description: "Runs it" } }),
  write: (path, content) => ({ name: "Write", arguments: { file_path: path, content } }),
  read: (path) => ({ name: "Read", arguments: { file_path: path } }),
  edit: (path, oldText, newText) => ({ name: "Edit", arguments: { file_path: path, old_string: oldText, new_string: newText } }),
};

const patch = (...lines: string[]): ToolCallReply => ({
  name: "apply_patch",
  custom: true,
  arguments: ["*** Begin Patch", ...lines, "*** End Patch", ""].join("\n"),
});
const toLines = (text: string, sign: string): string[] =>
  text
    .replace(/\n$/, "")
    .split("\n")
    .map((line) => `${sign}${line}`);

const codexAcp: FurtherAgent = {
  name: "codex-acp",
  api: "openai-responses",
  command: [bin("codex-acp")],
  setUp(home, { url, apiKey }) {
    mkdirSync(join(home, ".codex"));
    const config = `model = "gpt-5.5"\napproval_policy = "untrusted"\nsandbox_mode = "danger-full-access"\nmodel_provider = "scripted"\n[model_providers.scripted]\nname = "scripted"\nbase_url = "${url}"\nwire_api = "responses"\nenv_key = "SCRIPTED_KEY"\nrequest_max_retries = 0\nstream_max_retries = 1\n`;
    writeFileSync(join(home, ".codex/config.toml"), config);
    return { CODEX_HOME: join(home, ".codex"), SCRIPTED_KEY: apiKey };
  },
  run: (cmd) => ({ name: "exec_command", arguments: { cmd } }),
  write: (path, content) => patch(`*** Add File: ${path}`, ...toLines(content, "+")),
  read: (path) => ({ name: "exec_command", arguments: { cmd: `cat ${path}` } }),
  edit: (path, oldText, newText) => patch(`*** Update File: ${path}`, "@@", ...toLines(oldText, "-"), ...toLines(newText, "+")),
};

const pi: FurtherAgent = {
  name: "pi",
  api: "openai-chat",
  command: [bin("pi-acp")],
  setUp(home, { url, apiKey }) {
    const provider = { baseUrl: url, api: "openai-completions", apiKey, models: [{ id: "scripted-model" }] };
    writeJson(home, ".pi/agent/models.json", { providers: { scripted: provider } });
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
};

const copilot: FurtherAgent = {
  name: "copilot",
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
};

export const furtherAgents = { qwen, claudeAgentAcp, codexAcp, pi, copilot };

export interface FurtherTask extends AgentTask {
  model: ModelServer;
  home: string;
  /** What the model answers from now on. */
  script(...replies: Reply[]): void;
  /** Requests of the agent itself, without those that name a session, for example. */
  requests(): RecordedRequest[];
}

const hasTools = (body: unknown): boolean =>
  typeof body === "object" && body !== null && "tools" in body && Array.isArray(body.tools) && body.tools.length > 0;

/** The real program on a scripted model, driven by the real server. */
export async function openFurtherAgent(
  agent: FurtherAgent,
  options: { permissionMode?: PermissionMode; apiKey?: string; command?: [string, ...string[]] } = {},
): Promise<FurtherTask> {
  let left: Reply[] = [];
  const model = await startModelServer({
    api: agent.api,
    script: ({ body }) => (hasTools(body) ? (left.shift() ?? { text: "Nothing more." }) : { text: "A title" }),
  });
  onTestFinished(() => model.close());
  const home = newFolder(`${agent.name}-home`);
  const environment = agent.setUp(home, { url: model.url, apiKey: options.apiKey ?? model.apiKey });
  const id = `acp:${agent.name}`;
  const task = await openAgentTask({
    config: { agents: { [id]: { command: options.command ?? agent.command, environment: { HOME: home, ...environment } } } },
    attempt: { agent: id, permissionMode: options.permissionMode ?? "full" },
  });
  return Object.assign(task, {
    model,
    home,
    script: (...replies: Reply[]) => {
      left = replies;
    },
    requests: () => model.requests.filter(({ body }) => hasTools(body)),
  });
}
