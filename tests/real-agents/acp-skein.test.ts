import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startModelServer } from "@skein/testkit/model-servers";
import { expect, onTestFinished, test } from "vitest";
import { openAgentTask } from "../support/agent-task.ts";
import { newFolder } from "../support/repository.ts";
import { cliFolder, findTools } from "./acp-scenarios.ts";
import { opencodeEnvironment } from "./agents/opencode-environment.ts";

async function openOpencode({ agentAccess }: { agentAccess: boolean }) {
  const project = { id: "unknown" };
  const model = await startModelServer({
    api: "openai-chat",
    script({ body }) {
      const request = JSON.stringify(body);
      const [, tool] = /"name":"([\w-]*list_projects)"/.exec(request) ?? [];
      const isAnswered = request.includes(project.id);
      return tool === undefined || isAnswered ? { text: "Done." } : { toolCalls: [{ name: tool, arguments: {} }] };
    },
  });
  onTestFinished(() => model.close());
  const home = newFolder("agent-home");
  const script = { name: "Script", tool_call: true, limit: { context: 128_000, output: 8000 } };
  const provider = {
    npm: "@ai-sdk/openai-compatible",
    options: { baseURL: model.url, apiKey: model.apiKey },
    models: { script },
  };
  mkdirSync(join(home, ".config/opencode"), { recursive: true });
  writeFileSync(join(home, ".config/opencode/opencode.json"), JSON.stringify({ provider: { scripted: provider } }));
  // the package's own start file needs its install script, which is not run
  const program = join(cliFolder, `../opencode-${process.platform}-${process.arch}/bin/opencode`);
  const task = await openAgentTask({
    config: { agents: { opencode: { command: [program] } } },
    environment: { HOME: home, ...opencodeEnvironment(home) },
    attempt: { agent: "opencode", model: "scripted/script", permissionMode: "full", agentAccess },
  });
  project.id = (await task.server.api.getTask(task.taskId)).projectId;
  return { task, model, project };
}

test("[M1] the real opencode calls a tool of Skein over ACP, with the token of its execution", async () => {
  const { task, model, project } = await openOpencode({ agentAccess: true });
  expect(await task.run("Which projects are there?")).toMatchObject({ status: "success" });
  const [card] = findTools(await task.conversation());
  expect(card?.metadata).toMatchObject({ state: "completed", output: expect.stringContaining(project.id) });
  // its model has read the result, and never the token
  expect(JSON.stringify(model.requests.at(-1)?.body)).toContain(project.id);
  expect(JSON.stringify(model.requests)).not.toContain("ska_");
});

test("[M1] the real opencode has no tools of Skein where its attempt may not use it", async () => {
  const { task, model } = await openOpencode({ agentAccess: false });
  expect(await task.run("Which projects are there?")).toMatchObject({ status: "success" });
  expect(JSON.stringify(model.requests)).not.toContain("list_projects");
});
