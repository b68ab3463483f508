import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { ServerEvent } from "@skein/client";
import { expect, it, onTestFinished, vi } from "vitest";
import { sessionSecret } from "../api/session-secret.ts";
import { openServerEvents } from "./open-server-events.ts";

/** A stream from a real server that answers each request with `answer`. */
async function setUp(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const server = createServer(answer).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const log: (ServerEvent | "open" | "end")[] = [];
  const close = openServerEvents(`http://127.0.0.1:${port}/api/events`, {
    loadParser: async () => (event) => event,
    onOpen: () => log.push("open"),
    onEvent: (event) => log.push(event),
    onEnd: () => log.push("end"),
  });
  return { log, close };
}

it("[X18] sends the session's secret, and gives each event its own id alone", async () => {
  sessionSecret.set("sks_test");
  onTestFinished(() => sessionSecret.set(null));
  const seen: unknown[] = [];
  const { log } = await setUp((request, response) => {
    seen.push(request.headers["skein-session"]);
    response.write("retry: 1000\n: connected\n\nid: 4\n\nevent: a\ndata: 1\n\nid: 5\nevent: b\nda");
    response.end("ta: é\n\ndata: no name\n\n");
  });
  await vi.waitUntil(() => log.includes("end"));
  expect(seen).toEqual(["sks_test"]);
  expect(log).toEqual([
    "open",
    { type: "a", data: "1", id: undefined },
    { type: "b", data: "é", id: "5" },
    { type: "message", data: "no name", id: undefined },
    "end",
  ]);
});

it("a refused stream ends without having been open", async () => {
  const { log } = await setUp((_request, response) => response.writeHead(401).end("{}"));
  await vi.waitUntil(() => log.length > 0);
  expect(log).toEqual(["end"]);
});

it("reports nothing once it is closed", async () => {
  const closed = Promise.withResolvers<void>();
  const { log, close } = await setUp((_request, response) => {
    response.on("close", () => closed.resolve());
    response.write("data: 1\n\n");
  });
  await vi.waitUntil(() => log.length === 2);
  close();
  await closed.promise;
  expect(log).toHaveLength(2);
});
