import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CreateAttempt } from "@skein/contracts";
import { type ModelServer, type Script, startModelServer, type ToolCallReply } from "@skein/testkit/model-servers";
import { onTestFinished } from "vitest";
import { type AgentTask, openAgentTask } from "../../support/agent-task.ts";
import { newFolder } from "../../support/repository.ts";

const clis = process.env.SKEIN_TEST_CLIS ?? join(process.cwd(), ".cache/agent-clis/node_modules/.bin");

export interface CodexTask extends AgentTask {
  model: ModelServer;
  codexHome: string;
}

/** The real Codex on a scripted model, with a home of its own, driven by the real server. */
export async function openCodexTask(options: {
  script: Script;
  attempt?: Partial<CreateAttempt>;
  repository?: string;
  /** Appended to Codex's config.toml. */
  config?: string;
  /** In place of the real program. */
  command?: readonly [string, ...string[]];
}): Promise<CodexTask> {
  const model = await startModelServer({ api: "openai-responses", script: options.script });
  onTestFinished(() => model.close());
  const codexHome = newFolder("codex-home");
  mkdirSync(codexHome, { recursive: true });
  writeFileSync(join(codexHome, "config.toml"), `${toConfig(model.url)}${options.config ?? ""}`);
  const task = await openAgentTask({
    config: {
      agents: {
        codex: {
          command: options.command ?? [join(clis, "codex")],
          environment: { SCRIPTED_KEY: model.apiKey },
        },
      },
    },
    environment: { CODEX_HOME: codexHome },
    ...(options.repository === undefined ? {} : { repository: options.repository }),
    attempt: { agent: "codex", permissionMode: "full", ...options.attempt },
  });
  return Object.assign(task, { model, codexHome });
}

function toConfig(url: string): string {
  return `model = "gpt-5.5"
model_provider = "scripted"
[features]
plugins = false
remote_plugin = false
apps = false
[model_providers.scripted]
name = "scripted"
base_url = "${url}"
wire_api = "responses"
env_key = "SCRIPTED_KEY"
request_max_retries = 0
stream_max_retries = 1
`;
}

export function shell(cmd: string, more: object = {}): { toolCalls: ToolCallReply[] } {
  return { toolCalls: [{ name: "exec_command", arguments: { cmd, ...more } }] };
}

export function patch(...lines: string[]): { toolCalls: ToolCallReply[] } {
  return { toolCalls: [{ name: "apply_patch", custom: true, arguments: ["*** Begin Patch", ...lines, "*** End Patch", ""].join("\n") }] };
}
