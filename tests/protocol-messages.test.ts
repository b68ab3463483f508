import { startModelServer } from "@skein/testkit/model-servers";
import { expect, onTestFinished, test } from "vitest";
import { openAgentTask } from "./support/agent-task.ts";
import { runSql } from "./support/server-database.ts";

const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";

test("[R0] a tool message in the form of other programs is read from the database, with its texts and images, and sent to the model", async () => {
  const provider = await startModelServer({
    api: "openai-chat",
    script: [
      { text: "I look.", toolCalls: [{ name: "bash", arguments: { command: "echo seen" } }] },
      { text: "Done." },
      { text: "Done again." },
    ],
  });
  onTestFinished(() => provider.close());
  const task = await openAgentTask({
    environment: { OPENAI_API_KEY: provider.apiKey, OPENAI_BASE_URL: provider.url },
    attempt: { agent: "native", model: "openai-chat/gpt-5.5" },
  });
  expect(await task.run("look")).toMatchObject({ status: "success" });
  const stored = await task.server.api.messages(task.attempt.id);
  expect(stored.map(({ body, tokens }) => [body.role, typeof tokens])).toEqual([
    ["user", "number"],
    ["assistant", "number"],
    ["tool", "number"],
    ["assistant", "number"],
  ]);

  const tool = stored.find(({ body }) => body.role === "tool");
  const part = tool?.body.role === "tool" ? tool.body.content[0] : undefined;
  const foreign = {
    role: "tool",
    toolCallId: part?.toolCallId,
    content: [
      { type: "text", text: "given as a list" },
      { type: "image_url", image_url: { url: `data:image/png;base64,${pixel}` } },
    ],
    segments: [],
  };
  await task.server.stop();
  await runSql(task.server, `UPDATE messages SET body = '${JSON.stringify(foreign)}' WHERE id = '${tool?.id}'`);
  await task.server.start();

  const read = (await task.server.api.messages(task.attempt.id)).find(({ id }) => id === tool?.id);
  expect(read?.body).toEqual({
    role: "tool",
    content: [
      {
        type: "tool-result",
        toolCallId: part?.toolCallId,
        toolName: "",
        input: null,
        result: [
          { type: "text", text: "given as a list" },
          { type: "image", mediaType: "image/png", data: pixel },
        ],
      },
    ],
  });
  expect(await task.run("again")).toMatchObject({ status: "success" });
  const sent = JSON.stringify(provider.requests.at(-1)?.body);
  expect(sent).toContain("given as a list");
  expect(sent).toContain(pixel);
  expect(sent).not.toContain("No result");
});
