import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ConversationMessage } from "@skein/contracts";
import { expect, test } from "vitest";
import { startConfiguredServer } from "./support/configured-server.ts";
import { waitForEnd } from "./support/execution-end.ts";
import { newFolder, newRepository } from "./support/repository.ts";
import { bash, bashUntilGo, newScriptedModel } from "./support/scripts.ts";

const megabyte = 1024 ** 2;

/** A program that uses 600 MB little by little, unless it is ended. */
function newGreedyProgram(): string {
  const file = join(newFolder("greedy"), "greedy.mjs");
  writeFileSync(
    file,
    `const kept = [];
const more = () => {
  kept.push(Buffer.alloc(${megabyte}, 1));
  if (kept.length < 600) setTimeout(more, 2);
  else console.log("It had all that it wanted.");
};
more();
`,
  );
  return file;
}

test("[L7] a greedy tool and a greedy agent harm only themselves, the conversation says why, and a project can allow more", async () => {
  const program = newGreedyProgram();
  const server = await startConfiguredServer({
    developer: { scriptedModels: true },
    agents: { "command:greedy": { command: [process.execPath, program] } },
    resources: { memoryMb: 350 },
  });
  const { id: projectId } = await server.api.createProject(newRepository());
  const roomy = await server.api.createProject(newRepository("roomy"));
  await server.api.request("PATCH", "/api/settings/general", { resources: { perProject: { [roomy.id]: { memoryMb: 0 } } } });
  async function start(project: string, options: { agent?: string; model?: string }) {
    const task = await server.api.createTask(project, "A task");
    const attempt = await server.api.createAttempt(task.id, { permissionMode: "full", ...options });
    const { executionId } = await server.api.send(task.id, "go");
    return { task, attempt, ended: () => waitForEnd(server, attempt.id, executionId) };
  }
  const useAll = [{ toolCalls: [bash(`${process.execPath} ${program}; echo "ended with $?"`)] }, { text: "I saw that." }];
  const other = await start(projectId, { model: newScriptedModel([{ toolCalls: [bashUntilGo] }, { text: "Done." }]) });

  const tool = await start(projectId, { model: newScriptedModel(useAll) });
  expect(await tool.ended()).toMatchObject({ status: "success" });
  const texts = (messages: readonly ConversationMessage[]): string => JSON.stringify(messages);
  const told = texts((await server.api.conversation(tool.task.id)).messages);
  expect(told).toContain("ended with 137");
  expect(told).toMatch(/its limit is 350 MB of memory\. Stopped: node/);

  const agent = await start(projectId, { agent: "command:greedy" });
  expect(await agent.ended()).toMatchObject({
    status: "interrupted",
    reasonText: { code: "ended-by-resource-limit", resource: "memory", limit: 350 * megabyte },
    reason: expect.stringMatching(/^Stopped because it used more than 350 MB of memory.*Settings → Limits/),
  });

  const allowed = await start(roomy.id, { agent: "command:greedy" });
  expect(await allowed.ended()).toMatchObject({ status: "success" });

  // neither the server nor the other agent noticed
  writeFileSync(join(other.attempt.directory, "go"), "");
  expect(await other.ended()).toMatchObject({ status: "success" });
});
