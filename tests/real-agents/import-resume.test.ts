import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Attempt, ImportSource, ImportSources, TaskSummary } from "@skein/contracts";
import { type ModelServer, type Reply, startModelServer, type ToolCallReply } from "@skein/testkit/model-servers";
import { expect, onTestFinished, test } from "vitest";
import { toSteps } from "../support/claude-code.ts";
import { startConfiguredServer } from "../support/configured-server.ts";
import { waitForEnd } from "../support/execution-end.ts";
import { runImport } from "../support/imported-sessions.ts";
import { newFolder, newRepository } from "../support/repository.ts";
import { cliFolder } from "./acp-scenarios.ts";
import { opencodeEnvironment } from "./agents/opencode-environment.ts";
import { toConfig } from "./codex/codex-task.ts";

interface Program {
  api: "openai-responses" | "openai-chat";
  call: ToolCallReply;
  /** What a user runs in a terminal. */
  command: [string, ...string[]];
  prepare(home: string, model: ModelServer): Record<string, string>;
  /** The setting of the server. */
  agents: Record<string, unknown>;
}

const opencode = join(cliFolder, `../opencode-${process.platform}-${process.arch}/bin/opencode`);
const codex = join(cliFolder, "codex");
const prompt = "Remember a number";

const programs: Partial<Record<ImportSource, Program>> = {
  codex: {
    api: "openai-responses",
    call: { name: "exec_command", arguments: { cmd: "echo 4711" } },
    command: [codex, "exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox", prompt],
    prepare(home, model) {
      mkdirSync(join(home, ".codex"));
      writeFileSync(join(home, ".codex/config.toml"), toConfig(model.url, ""));
      return { CODEX_HOME: join(home, ".codex"), SCRIPTED_KEY: model.apiKey };
    },
    agents: { codex: { command: [codex], environment: { SCRIPTED_KEY: "test-key" } } },
  },
  opencode: {
    api: "openai-chat",
    call: { name: "bash", arguments: { command: "echo 4711", description: "Shows it" } },
    command: [opencode, "run", prompt],
    prepare(home, model) {
      mkdirSync(join(home, ".config/opencode"), { recursive: true });
      const script = { name: "Script", tool_call: true, limit: { context: 128_000, output: 8000 }, cost: { input: 1, output: 2 } };
      const provider = {
        npm: "@ai-sdk/openai-compatible",
        options: { baseURL: model.url, apiKey: model.apiKey },
        models: { script },
      };
      const config = { model: "scripted/script", permission: { bash: "allow" }, provider: { scripted: provider } };
      writeFileSync(join(home, ".config/opencode/opencode.json"), JSON.stringify(config));
      return opencodeEnvironment(home);
    },
    agents: { opencode: { command: [opencode] } },
  },
};

test.each(Object.entries(programs))(
  "[I1, I2] a session of the real %s is imported, and resumed by it with its history",
  async (source, { api, call, command: [program, ...args], prepare, agents }) => {
    const model = await startModelServer({
      api,
      script: ({ body }): Reply => {
        const words = JSON.stringify(body);
        if (words.includes("Which number?")) return { text: "It was 4711." };
        // the result of the tool, not the call
        if (words.split("4711").length > 2) return { text: "The number is 4711." };
        return words.includes('"tools"') ? { text: "I look.", toolCalls: [call] } : { text: "A title" };
      },
    });
    onTestFinished(() => model.close());
    const home = newFolder("user-home");
    const repository = newRepository();
    const environment = { HOME: home, TMPDIR: newFolder("tmp"), PATH: process.env.PATH ?? "", ...prepare(home, model) };
    let output = "";
    const run = spawn(program, args, { cwd: repository, env: environment, stdio: ["ignore", "pipe", "pipe"] });
    for (const stream of [run.stdout, run.stderr]) stream.on("data", (chunk) => (output += chunk));
    expect([(await once(run, "close"))[0], output]).toEqual([0, expect.stringContaining("The number is 4711.")]);

    const server = await startConfiguredServer({ agents } as never, environment);
    const { sources } = await server.api.request<ImportSources>("GET", "/api/import/sources");
    expect(sources.find((one) => one.source === source)?.sessions).toMatchObject([{ repository, state: "new" }]);
    expect(await runImport(server, { source: source as ImportSource })).toMatchObject({ state: "done", added: 1, problems: [] });
    const [task] = await server.api.request<TaskSummary[]>("GET", "/api/tasks");
    const taskId = task?.id ?? "";
    const steps = toSteps((await server.api.conversation(taskId)).messages);
    // opencode puts what it is told in quotes
    expect([steps[0]?.[0], steps[0]?.[1]?.replaceAll('"', "")]).toEqual(["user", prompt]);
    expect(steps.at(-1)).toEqual(["assistant", "The number is 4711."]);

    const [attempt] = await server.api.request<Attempt[]>("GET", `/api/tasks/${taskId}/attempts`);
    const asked = model.requests.length;
    const { executionId = "" } = await server.api.send(taskId, "Which number?");
    expect(await waitForEnd(server, attempt?.id ?? "", executionId)).toMatchObject({ status: "success" });
    expect(JSON.stringify(model.requests.slice(asked).map(({ body }) => body))).toContain("The number is 4711.");
    // on a busy machine, Skein notes that the model is silent
    const added = toSteps((await server.api.conversation(taskId)).messages).slice(steps.length);
    expect(added.filter(([role]) => role !== "system")).toEqual([
      ["user", "Which number?"],
      ["assistant", "It was 4711."],
    ]);
    const [after] = await server.api.request<Attempt[]>("GET", `/api/tasks/${taskId}/attempts`);
    expect(after?.sessionId).toBe(attempt?.sessionId);
  },
);
