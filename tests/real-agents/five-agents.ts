import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Attempt, CreateAttempt } from "@skein/contracts";
import { type ApiName, type Reply, startModelServer, type ToolCallReply } from "@skein/testkit/model-servers";
import { expect, onTestFinished, vi } from "vitest";
import { findClaude } from "../support/claude-code.ts";
import { startConfiguredServer } from "../support/configured-server.ts";
import type { RealServer } from "../support/real-server.ts";
import { newFolder, newRepository } from "../support/repository.ts";
import { cliFolder } from "./acp-scenarios.ts";
import { toConfig } from "./codex/codex-task.ts";

export const agentNames = ["native", "claude-code", "codex", "gemini", "opencode"] as const;
export type AgentName = (typeof agentNames)[number];

const apis: Readonly<Record<AgentName, { api: ApiName; model?: string; run(command: string): ToolCallReply }>> = {
  native: { api: "anthropic", model: "anthropic/claude-sonnet-5", run: (command) => ({ name: "bash", arguments: { command } }) },
  "claude-code": { api: "anthropic", run: (command) => ({ name: "Bash", arguments: { command, description: "Runs it" } }) },
  codex: { api: "openai-responses", run: (cmd) => ({ name: "exec_command", arguments: { cmd } }) },
  gemini: {
    api: "gemini",
    model: "gemini-2.5-flash",
    run: (command) => ({ name: "run_shell_command", arguments: { command, description: "Runs it" } }),
  },
  opencode: {
    api: "openai-chat",
    model: "scripted/script",
    run: (command) => ({ name: "bash", arguments: { command, description: "Runs it" } }),
  },
};

/** One command of a model, chosen by what it was sent, and the text that ends its turn. */
export type Choice = (sent: string) => { command: string; text: string };

export interface FiveAgents {
  server: RealServer;
  repository: string;
  taskId: string;
  /** A new attempt, and one message to it: its model runs the command of `choose`, then ends. Resolves when it has succeeded. */
  run(agent: AgentName, choose: Choice, attempt?: Partial<CreateAttempt>): Promise<Attempt>;
}

/** The five main agents on one server, each with a model of its own. */
export async function startFiveAgents(): Promise<FiveAgents> {
  let replies: ((sent: string) => Reply)[] = [];
  const script = ({ body }: { body: unknown }): Reply => {
    // opencode has a title made next to the work, by a request without tools
    const hasTools = typeof body === "object" && body !== null && "tools" in body;
    return hasTools ? (replies.shift()?.(JSON.stringify(body)) ?? { text: "Nothing more." }) : { text: "A title" };
  };
  const start = async (api: ApiName) => {
    const model = await startModelServer({ api, script });
    onTestFinished(() => model.close());
    return model;
  };
  const [anthropic, responses, gemini, chat] = [
    await start("anthropic"),
    await start("openai-responses"),
    await start("gemini"),
    await start("openai-chat"),
  ];
  const home = newFolder("agents-home");
  const codexHome = join(home, ".codex");
  mkdirSync(codexHome);
  writeFileSync(join(codexHome, "config.toml"), toConfig(responses.url, ""));
  mkdirSync(join(home, ".config/opencode"), { recursive: true });
  const provider = {
    npm: "@ai-sdk/openai-compatible",
    options: { baseURL: chat.url, apiKey: chat.apiKey },
    models: { script: { name: "Script", tool_call: true, limit: { context: 128_000, output: 8000 } } },
  };
  const opencodeConfig = { model: "scripted/script", provider: { scripted: provider } };
  writeFileSync(join(home, ".config/opencode/opencode.json"), JSON.stringify(opencodeConfig));
  const server = await startConfiguredServer(
    {
      agents: {
        "claude-code": { command: [findClaude()] },
        codex: { command: [join(cliFolder, "codex")], environment: { SCRIPTED_KEY: responses.apiKey } },
        // the package's own start file needs its install script, which is not run
        opencode: { command: [join(cliFolder, `../opencode-${process.platform}-${process.arch}/bin/opencode`)] },
      },
    },
    {
      HOME: home,
      PATH: `${cliFolder}:${process.env.PATH}`,
      TMPDIR: newFolder("agents-tmp"),
      CODEX_HOME: codexHome,
      ANTHROPIC_BASE_URL: anthropic.url,
      ANTHROPIC_API_KEY: anthropic.apiKey,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      DISABLE_AUTOUPDATER: "1",
      DISABLE_TELEMETRY: "1",
      GEMINI_API_KEY: gemini.apiKey,
      GOOGLE_GEMINI_BASE_URL: gemini.url,
      OPENCODE_DISABLE_MODELS_FETCH: "1",
      OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
    },
  );
  const repository = newRepository();
  const project = await server.api.createProject(repository);
  const { id: taskId } = await server.api.createTask(project.id);

  return {
    server,
    repository,
    taskId,
    async run(agent, choose, input = {}) {
      const { model, run } = apis[agent];
      const attempt = await server.api.request<Attempt>("POST", `/api/tasks/${taskId}/attempts`, {
        agent,
        permissionMode: "full",
        ...(model === undefined ? {} : { model }),
        ...input,
      });
      let text = "";
      replies = [
        (sent) => {
          const choice = choose(sent);
          text = choice.text;
          return { toolCalls: [run(choice.command)] };
        },
        () => ({ text }),
      ];
      await server.api.send(taskId, "Add your name to the note.");
      await vi.waitFor(async () => expect(await server.api.executions(attempt.id)).toMatchObject([{ status: "success", reason: null }]), {
        timeout: 120_000,
        interval: 100,
      });
      return attempt;
    },
  };
}
