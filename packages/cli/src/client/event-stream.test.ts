import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type Delivery, taskIdSchema } from "@skein/contracts";
import { expect, it } from "vitest";
import { createApiClient } from "./api-client.ts";
import { followEvents } from "./event-stream.ts";

const taskId = taskIdSchema.parse("tsk_1");
const projectId = "prj_1";
const frame = (id: number | undefined, task: string = taskId) =>
  `${id === undefined ? "" : `id: ${id}\n`}event: task:deleted\ndata: ${JSON.stringify({ type: "task:deleted", taskId: task, projectId })}\n\n`;

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** Follows a server that answers each connection with the next handler, until `count` events have arrived. */
async function follow(handlers: Handler[], count: number, onHealth: (health: unknown) => void = () => {}) {
  await using server = createServer((request, response) => handlers.shift()?.(request, response)).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("not listening");
  const client = createApiClient({ url: `http://127.0.0.1:${address.port}`, token: "t" });
  const stop = new AbortController();
  const received: Delivery[] = [];
  for await (const event of followEvents(client, { taskId, after: 4, signal: stop.signal, onHealth })) {
    if (received.push(event) === count) stop.abort();
  }
  server.closeAllConnections();
  return received.map(({ seq }) => seq ?? "live");
}

it("[E6] a broken stream is resumed after the last sequence number, and nothing is delivered twice", async () => {
  const asked: (string | undefined)[] = [];
  const seqs = await follow(
    [
      (request, response) => {
        asked.push(request.url);
        response.write(frame(5) + frame(undefined) + frame(7), () => response.destroy());
      },
      (request, response) => {
        asked.push(request.url);
        response.write(frame(7) + frame(8));
      },
    ],
    4,
  );
  expect(seqs).toEqual([5, "live", 7, 8]);
  expect(asked).toEqual(["/api/events?after=4&taskId=tsk_1&mergeMode=live", "/api/events?after=7&taskId=tsk_1&mergeMode=live"]);
});

it("skips other tasks and unknown events", async () => {
  const unknown = `id: 6\ndata: {"type":"weather:changed","taskId":"${taskId}"}\n\n`;
  expect(await follow([(_request, response) => response.write(frame(5, "tsk_other") + unknown + frame(9))], 1)).toEqual([9]);
});

it("[Q16] reports that the server cannot store anything, and why", async () => {
  const health = { status: "degraded", version: "1", storage: "sqlite", problem: { cause: "disk-full", detail: "The disk is full." } };
  const reported: unknown[] = [];
  const respond: Handler = (_request, response) =>
    response.write(`event: server:health\ndata: ${JSON.stringify({ type: "server:health", ...health })}\n\n${frame(5)}`);
  expect(await follow([respond], 1, (received) => reported.push(received))).toEqual([5]);
  expect(reported).toEqual([health]);
});

it("a refusal is not retried", async () => {
  const refuse: Handler = (_request, response) => {
    const problem = { type: "about:blank", title: "Forbidden", status: 403, detail: "The token is wrong.", code: "forbidden" };
    response.writeHead(403, { "content-type": "application/problem+json" }).end(JSON.stringify(problem));
  };
  await expect(follow([refuse], 1)).rejects.toThrow("The token is wrong.");
});
