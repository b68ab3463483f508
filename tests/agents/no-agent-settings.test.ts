import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startConfiguredServer } from "../support/configured-server.ts";
import { waitForEnd } from "../support/execution-end.ts";
import { newFolder, newRepository } from "../support/repository.ts";

/** A fake agent: records how it was started, and ends. */
const program = `import { appendFileSync } from "node:fs";
const { GEMINI_CLI_TRUST_WORKSPACE, OPENCODE_DISABLE_PROJECT_CONFIG } = process.env;
const environment = { GEMINI_CLI_TRUST_WORKSPACE, OPENCODE_DISABLE_PROJECT_CONFIG };
appendFileSync(process.argv[2], JSON.stringify({ args: process.argv.slice(3), environment }) + "\\n");
process.exit(1);
`;

test("[X8] an agent that finds no settings in a repository is not started as if the folder were trusted", async () => {
  const folder = newFolder("agents");
  writeFileSync(join(folder, "agent.mjs"), program);
  const ids = ["claude-code", "codex", "gemini", "opencode"];
  const trace = (id: string) => join(folder, id);
  const agents = Object.fromEntries(ids.map((id) => [id, { command: [process.execPath, join(folder, "agent.mjs"), trace(id)] }]));
  const { api } = await startConfiguredServer({ agents });
  const project = await api.createProject(newRepository());
  for (const agent of ids) {
    const task = await api.createTask(project.id);
    const attempt = await api.createAttempt(task.id, { agent, model: "any" });
    const { executionId } = await api.send(task.id, "go");
    await waitForEnd({ api }, attempt.id, executionId);
    const { messages } = await api.conversation(task.id);
    expect(messages.filter(({ messageType }) => messageType === "notice")).toEqual([]);
  }
  const started = (id: string) => (existsSync(trace(id)) ? readFileSync(trace(id), "utf8") : "");
  expect(started("claude-code")).toContain("--setting-sources=user");
  expect(started("codex")).toContain("untrusted");
  expect(started("gemini")).toContain('"GEMINI_CLI_TRUST_WORKSPACE":"false"');
  expect(started("opencode")).toContain('"OPENCODE_DISABLE_PROJECT_CONFIG":"1"');
});
