import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Attempt, Project } from "@skein/contracts";
import { startModelServer } from "@skein/testkit/model-servers";
import { expect, onTestFinished, test } from "vitest";
import { openAgentTask } from "./support/agent-task.ts";
import { git, newRepository } from "./support/repository.ts";

test("[R5] the user's own prompts, of the settings, the project and the attempt, then the project's files, then ours, from the next message on", async () => {
  const provider = await startModelServer({ api: "openai-chat", script: () => ({ text: "Yes." }) });
  onTestFinished(provider.close);
  const repository = newRepository();
  writeFileSync(join(repository, "AGENTS.md"), "Words of the repository.\n");
  git(repository, "add", "--all");
  git(repository, "commit", "--quiet", "--message", "words");
  const task = await openAgentTask({
    config: {
      providers: { endpoints: { local: { baseUrl: provider.url, apiKey: provider.apiKey } } },
      systemPrompt: "Words of everywhere.",
    },
    repository,
    attempt: { agent: "native", model: "openai-chat/local/m", systemPrompt: "Words of the attempt." },
  });
  const { server, taskId, attempt } = task;
  const { projectId } = await server.api.getTask(taskId);
  /** The test lines of the system prompt, in order, and whether ours follows. */
  const heard = () => {
    const { messages = [] } = (provider.requests.at(-1)?.body ?? {}) as { messages?: { role: string; content: string }[] };
    expect(messages.filter(({ role }) => role === "system")).toHaveLength(1);
    const system = messages[0]?.content ?? "";
    expect(system).toMatch(/Words of the repository\.[\s\S]*You are Skein's coding agent/);
    return system.split("\n").filter((line) => line.startsWith("Words of"));
  };

  await task.run("one");
  expect(heard()).toEqual(["Words of everywhere.", "Words of the attempt.", "Words of the repository."]);

  const project = await server.api.request<Project>("PATCH", `/api/projects/${projectId}`, { systemPrompt: "Words of the project." });
  expect(project).toMatchObject({ systemPrompt: "Words of the project." });
  await server.api.request("PATCH", "/api/settings/general", { systemPrompt: "Words of another everywhere." });
  await server.api.request("PATCH", `/api/attempts/${attempt.id}`, { systemPrompt: "Words of a changed attempt." });
  await task.run("two");
  const all = ["Words of another everywhere.", "Words of the project.", "Words of a changed attempt.", "Words of the repository."];
  expect(heard()).toEqual(all);

  // an attempt that continues it inherits its prompt, unless it has its own
  const continued = { agent: "native", model: "openai-chat/local/m", continueFrom: attempt.id };
  const path = `/api/tasks/${taskId}/attempts`;
  expect(await server.api.request<Attempt>("POST", path, continued)).toMatchObject({ systemPrompt: "Words of a changed attempt." });
  expect(await server.api.request<Attempt>("POST", path, { ...continued, systemPrompt: "" })).toMatchObject({ systemPrompt: "" });
  await server.api.request("POST", `/api/attempts/${attempt.id}/activate`);

  // kept after a restart, and removed by an empty text
  await server.stop();
  await server.start();
  await task.run("three");
  expect(heard()).toEqual(all);
  await server.api.request("PATCH", "/api/settings/general", { systemPrompt: "" });
  await server.api.request("PATCH", `/api/projects/${projectId}`, { systemPrompt: " \n" });
  await server.api.request("PATCH", `/api/attempts/${attempt.id}`, { systemPrompt: "" });
  await task.run("four");
  expect(heard()).toEqual(["Words of the repository."]);

  for (const place of ["settings/general", `projects/${projectId}`, `attempts/${attempt.id}`]) {
    await expect(server.api.request("PATCH", `/api/${place}`, { systemPrompt: "x".repeat(20_001) })).rejects.toMatchObject({ status: 400 });
  }
  expect(provider.violations).toEqual([]);
});
