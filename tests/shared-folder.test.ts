import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { formatText } from "@skein/engine";
import { expect, test, vi } from "vitest";
import { startRealServer } from "./support/real-server.ts";
import { newRepository } from "./support/repository.ts";
import { bash, newScriptedModel } from "./support/scripts.ts";

test("[E1] an agent that starts in a folder where another one works reports it, and one that is alone does not", async () => {
  const { api } = await startRealServer();
  const repository = newRepository();
  const project = await api.createProject(repository);
  const [first, second] = [await api.createTask(project.id, "Long work"), await api.createTask(project.id, "Short work")];
  const long = newScriptedModel([{ toolCalls: [bash("touch begun; until [ -e gate ]; do sleep 0.1; done")] }, { text: "Done." }]);
  const short = newScriptedModel([{ text: "Done." }]);
  const busy = await api.createAttempt(first.id, { model: long, isolation: "in-place", permissionMode: "full" });
  const attempt = await api.createAttempt(second.id, { model: short, isolation: "in-place", permissionMode: "full" });
  const run = async (message: string) => {
    const { executionId } = await api.send(second.id, message);
    await vi.waitFor(async () => {
      const execution = (await api.executions(attempt.id)).find(({ id }) => id === executionId);
      expect(execution?.status).toBe("success");
    }, 60_000);
    const { messages } = await api.conversation(second.id);
    return messages.flatMap(({ messageType, content }) => (messageType === "notice" ? [content] : []));
  };
  await api.send(first.id, "Work");
  await vi.waitFor(() => expect(existsSync(join(repository, "begun"))).toBe(true), 60_000);
  const warning = formatText({ code: "shared-folder", attempt: 1, task: "Long work" });
  expect(await run("Go")).toEqual([warning]);
  writeFileSync(join(repository, "gate"), "");
  // Its last message comes a moment before its end; until then it counts as a running agent.
  await vi.waitFor(async () => expect((await api.executions(busy.id)).map(({ status }) => status)).toEqual(["success"]), 60_000);
  expect(await run("Again")).toEqual([warning]);
});
