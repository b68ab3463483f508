import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Attempt, ConversationMessage, CreateAttempt, Execution } from "@skein/contracts";
import type { ModelServer, Script } from "@skein/testkit/model-servers";
import { startModelServer } from "@skein/testkit/model-servers";
import { type AgentTask, openAgentTask } from "./agent-task.ts";
import { newFolder } from "./repository.ts";

const clis = process.env.SKEIN_TEST_CLIS ?? join(import.meta.dirname, "../../.cache/agent-clis/node_modules/.bin");

/** Without install scripts, the file in the bin folder is only a stub that asks for them: the program is next to it. */
export function findClaude(): string {
  const native = join(clis, `../@anthropic-ai/claude-code-${process.platform}-${process.arch}/claude`);
  return existsSync(native) ? native : join(clis, "claude");
}

export interface ClaudeCodeTask extends AgentTask {
  model: ModelServer;
  /** Its home folder: settings and sessions are there. */
  home: string;
}

/** A task of the real Claude Code, with a scripted model behind it. */
export async function openClaudeCodeTask(options: {
  script: Script;
  attempt?: Partial<CreateAttempt>;
  repository?: string;
  environment?: Record<string, string>;
  settings?: object;
}): Promise<ClaudeCodeTask> {
  const model = await startModelServer({ api: "anthropic", script: options.script });
  const home = newFolder("claude-home");
  if (options.settings !== undefined) {
    mkdirSync(join(home, ".claude"));
    writeFileSync(join(home, ".claude/settings.json"), JSON.stringify(options.settings));
  }
  const task = await openAgentTask({
    config: { agents: { "claude-code": { command: [findClaude()] } } },
    environment: {
      HOME: home,
      TMPDIR: newFolder("claude-tmp"),
      ANTHROPIC_BASE_URL: model.url,
      ANTHROPIC_API_KEY: model.apiKey,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      DISABLE_AUTOUPDATER: "1",
      DISABLE_TELEMETRY: "1",
      ...options.environment,
    },
    ...(options.repository === undefined ? {} : { repository: options.repository }),
    attempt: { agent: "claude-code", permissionMode: "ask", ...options.attempt },
  });
  return { ...task, model, home };
}

/** Role and text of each message; for tools their name, state and summary. */
export function toSteps(messages: readonly ConversationMessage[]): string[][] {
  return messages.map((message) =>
    message.messageType === "tool_execution"
      ? [message.metadata.toolName, message.metadata.state, message.content]
      : [message.role, message.content],
  );
}

export function bash(command: string) {
  return { name: "Bash", arguments: { command, description: "x" } };
}

/** The messages of the nth request to the model, as JSON. */
export function sent({ model }: ClaudeCodeTask, n: number): string {
  return JSON.stringify((model.requests[n]?.body as { messages?: unknown } | undefined)?.messages);
}

export function getAttempt({ server, attempt }: ClaudeCodeTask): Promise<Attempt> {
  return server.api.request<Attempt>("GET", `/api/attempts/${attempt.id}`);
}

export function costOf(execution: Execution): number {
  return execution.status === "running" ? 0 : (execution.usage.costUsd ?? 0);
}
