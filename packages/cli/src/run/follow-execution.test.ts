import { once } from "node:events";
import { createServer } from "node:http";
import { type EndedExecution, executionSchema } from "@skein/contracts";
import { expect, it } from "vitest";
import { createApiClient } from "../client/api-client.ts";
import { followExecution } from "./follow-execution.ts";

it("[E6] an end in a gap that is too large to be replayed is still found", async () => {
  const ended = executionSchema.parse({
    ...{ id: "exe_1", taskId: "tsk_1", attemptId: "att_1", number: 1, startedAt: 1, status: "success" },
    ...{ endedAt: 2, durationMs: 1, exitCode: 0, reason: null, code: null, usage: {} },
  }) as EndedExecution;
  const state = {
    messages: [],
    isExecuting: false,
    canSendMessage: true,
    attemptId: ended.attemptId,
    queue: [],
    queuePause: null,
    approvals: [],
  };
  await using server = createServer((request, response) => {
    if (request.url === `/api/attempts/${ended.attemptId}/executions`) {
      response.setHeader("content-type", "application/json").end(JSON.stringify([ended]));
    } else {
      const sync = { type: "state:conversation-sync", taskId: ended.taskId, state };
      response.setHeader("content-type", "text/event-stream").write(`id: 9000\nevent: ${sync.type}\ndata: ${JSON.stringify(sync)}\n\n`);
    }
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("not listening");
  const execution = await followExecution(createApiClient({ url: `http://127.0.0.1:${address.port}`, token: "t" }), {
    taskId: ended.taskId,
    after: 1,
    executionId: ended.id,
    onEvent: () => {},
    onHealth: () => {},
    signal: new AbortController().signal,
  });
  expect(execution).toEqual(ended);
  server.closeAllConnections();
});
