import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CommitMessageModel, SuggestedCommitMessage } from "@skein/contracts";
import { startModelServer } from "@skein/testkit/model-servers";
import { expect, onTestFinished, test } from "vitest";
import { startRealServer } from "./support/real-server.ts";
import { newRepository } from "./support/repository.ts";
import { newScriptedModel, type ScriptStep } from "./support/scripts.ts";

test("[G2] a model suggests a commit message on request: a short subject and a body, or a coded reason", async () => {
  const { api } = await startRealServer();
  const project = await api.createProject(newRepository());
  const newAttempt = async (...steps: ScriptStep[]) => {
    const model = newScriptedModel(steps);
    const attempt = await api.createAttempt((await api.createTask(project.id, "Add a file")).id, { model });
    const path = `/api/attempts/${attempt.id}/commit-message`;
    return {
      model,
      write: (name: string) => writeFileSync(join(attempt.directory, name), "text\n"),
      find: () => api.request<CommitMessageModel>("GET", path),
      suggest: (body: object = {}) => api.request<SuggestedCommitMessage>("POST", path, body),
    };
  };
  const good = await newAttempt({ text: `\`\`\`\n${"Add a file ".repeat(20)}\n\nIt has a text.\n\`\`\`` });
  await expect(good.suggest()).rejects.toMatchObject({ status: 409, problem: { code: "nothing-to-commit" } });
  good.write("a.txt");
  expect(await good.find()).toEqual({ model: good.model });
  const { message, model } = await good.suggest({ model: good.model, paths: ["a.txt"] });
  const [subject = "", ...rest] = message.split("\n");
  expect({ model, length: subject.length, rest }).toEqual({ model: good.model, length: 72, rest: ["", "It has a text."] });
  await expect(good.suggest({ paths: ["b.txt"] })).rejects.toMatchObject({ problem: { code: "nothing-to-commit" } });
  const other = { status: 409, problem: { code: "message-model-changed", model: good.model } };
  await expect(good.suggest({ model: "anthropic/other" })).rejects.toMatchObject(other);

  const broken = await newAttempt({ error: { kind: "quota", message: "No credit is left." } });
  broken.write("a.txt");
  const failed = { status: 503, problem: { code: "commit-message-failed", detail: expect.stringContaining("No credit is left.") } };
  await expect(broken.suggest()).rejects.toMatchObject(failed);

  // the demo model plays its script, whatever it is asked
  const demo = await api.createAttempt((await api.createTask(project.id)).id, { model: "scripted/demo" });
  const path = `/api/attempts/${demo.id}/commit-message`;
  expect(await api.request("GET", path)).toEqual({ model: null });
  writeFileSync(join(demo.directory, "a.txt"), "text\n");
  await expect(api.request("POST", path, {})).rejects.toMatchObject({ status: 409, problem: { code: "no-message-model" } });
});

test("[G2, X11] the provider gets title and diff, without secrets, and nothing before it is asked", async () => {
  const provider = await startModelServer({ api: "anthropic", script: [{ text: "Add a key" }] });
  onTestFinished(() => provider.close());
  const key = provider.apiKey;
  const { api } = await startRealServer({ environment: { ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: provider.url } });
  const task = await api.createTask((await api.createProject(newRepository())).id, "Add the key");
  const attempt = await api.createAttempt(task.id, { model: "anthropic/claude-sonnet-5" });
  const token = `ghp_${"a1".repeat(18)}`;
  writeFileSync(join(attempt.directory, "keys.txt"), `mine ${key}\nforge ${token}\nplain text\n`);
  const path = `/api/attempts/${attempt.id}/commit-message`;
  // its address is not the provider's own, so no other model is known there
  expect(await api.request("GET", path)).toEqual({ model: "anthropic/claude-sonnet-5" });
  expect(provider.requests).toHaveLength(0);
  expect(await api.request("POST", path, {})).toEqual({ message: "Add a key", model: "anthropic/claude-sonnet-5" });
  expect(provider.requests).toHaveLength(1);
  const body = JSON.stringify(provider.requests[0]?.body);
  expect(body).toContain("Task: Add the key");
  expect(body).toContain("+plain text");
  expect(body).toContain("+mine [redacted]");
  expect([body.includes(key), body.includes(token)]).toEqual([false, false]);
});
