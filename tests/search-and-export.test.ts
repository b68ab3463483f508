import type { SearchHit } from "@skein/contracts";
import { expect, test } from "vitest";
import { openEventStream } from "./support/event-stream.ts";
import { startRealServer } from "./support/real-server.ts";
import { newRepository } from "./support/repository.ts";
import { bash, newScriptedModel } from "./support/scripts.ts";
import { isOnPostgres } from "./support/server-database.ts";

test("[I4] a conversation is found by parts of names and by Chinese words, and is exported as JSON and Markdown", async () => {
  const { api } = await startRealServer();
  expect(await api.request("GET", "/api/health")).toMatchObject({ storage: isOnPostgres ? "postgres" : "sqlite" });
  const task = await api.createTask((await api.createProject(newRepository())).id, "Fix the 灯塔");
  const model = newScriptedModel([{ text: "Looking.", toolCalls: [bash("echo lighthouse_keeper")] }, { text: "Call getUserById." }]);
  const attempt = await api.createAttempt(task.id, { model });
  const stream = await openEventStream(api);
  await api.send(task.id, "Who calls it?");
  await stream.waitFor(({ event }) => event.type === "execution:completed");
  stream.close();

  const search = async (text: string) => {
    const { hits } = await api.request<{ hits: SearchHit[] }>("GET", `/api/search?q=${encodeURIComponent(text)}`);
    return hits.map(({ kind, taskId }) => [kind, taskId]);
  };
  expect(await search("UserById")).toEqual([["message", task.id]]);
  expect(await search("灯塔")).toContainEqual(["task", task.id]);
  expect(await search("userbyname")).toEqual([]);

  const exported = async (format: string) => {
    const response = await fetch(`${api.url}/api/attempts/${attempt.id}/export?format=${format}`, { headers: api.headers });
    return response.text();
  };
  const { conversation } = JSON.parse(await exported("json"));
  expect(conversation.map(({ content }: { content: string }) => content)).toEqual(
    (await api.conversation(task.id)).messages.map(({ content }) => content),
  );
  expect(await exported("markdown")).toContain("getUserById");
});
