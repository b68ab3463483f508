import { once } from "node:events";
import { request } from "node:http";
import { connect, type Socket } from "node:net";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { HttpListener } from "./listen.ts";
import { readEvents } from "./testing/event-reader.ts";
import { messageAdded } from "./testing/samples.ts";
import { bearer, listenForTest, type TestHttpOptions, testToken } from "./testing/test-http.ts";

let listeners: HttpListener[] = [];
let sockets: Socket[] = [];

afterEach(async () => {
  for (const socket of sockets) socket.resetAndDestroy();
  await Promise.all(listeners.map((listener) => listener.close()));
  listeners = [];
  sockets = [];
});

async function start(options: TestHttpOptions = {}) {
  const started = await listenForTest(options);
  listeners.push(started.listener);
  return started;
}

/** A client that sends `bytes`, never more, and never closes its connection. */
async function stall(port: number, bytes: string): Promise<Socket> {
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  socket.on("error", () => {});
  sockets.push(socket);
  await once(socket, "connect");
  socket.write(bytes);
  return socket;
}

const stallMany = (port: number, count: number, bytes: string) => Promise.all(Array.from({ length: count }, () => stall(port, bytes)));

describe("clients with incomplete requests", () => {
  const host = (port: number) => `Host: 127.0.0.1:${port}\r\n`;
  const json = "Content-Type: application/json\r\nContent-Length: 500\r\n\r\n{";
  const halves: [string, (port: number) => string][] = [
    ["nothing", () => ""],
    ["half a request line", () => "GET /api/hea"],
    ["half the headers", (port) => `GET /api/health HTTP/1.1\r\n${host(port)}X-More: `],
    [
      "half a body where anyone may send one",
      (port) => `POST /api/sessions HTTP/1.1\r\n${host(port)}Origin: http://127.0.0.1:${port}\r\n${json}`,
    ],
    ["half a body to a file", (port) => `GET / HTTP/1.1\r\n${host(port)}Content-Length: 500\r\n\r\n{`],
  ];
  it.each(halves)("[X13, X19] 600 that send %s do not block others", async (_name, toBytes) => {
    const { listener, origin } = await start();
    await stallMany(listener.port, 600, toBytes(listener.port));
    for (let i = 0; i < 5; i++) {
      const response = await fetch(`${origin}/api/tasks`, {
        headers: { ...bearer, connection: "close" },
        signal: AbortSignal.timeout(20_000),
      });
      expect(response.status).toBe(200);
    }
  });

  it("[X13, X19] an event stream, an upload and an answer under way survive them", async () => {
    const answered = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    const list = async () => {
      asked.resolve();
      await answered.promise;
      return { agents: [], defaultAgent: "native" as const };
    };
    const { http, listener, origin } = await start({ limits: { connections: 20 }, services: { agents: { list } } });
    const reader = readEvents(await fetch(`${origin}/api/events`, { headers: bearer }));
    expect(await reader.next()).toEqual({ id: "0" });
    const answer = fetch(`${origin}/api/agents`, { headers: bearer });
    await asked.promise;
    const body = JSON.stringify({ projectId: "prj_1", title: "Slow" });
    const headers = { ...bearer, "content-type": "application/json", "content-length": String(body.length) };
    const upload = request(`${origin}/api/tasks`, { method: "POST", headers, agent: false });
    upload.write(body.slice(0, 10));
    const response = once(upload, "response");
    const stalled = await stallMany(listener.port, 100, "GET /api/hea");
    for (const socket of stalled) socket.resume();
    // wait until the server has accepted all of them and closed those above the limit: no other connection could have been closed before
    await vi.waitUntil(() => stalled.filter((socket) => socket.readableEnded || socket.destroyed).length >= 80, { timeout: 30_000 });
    upload.end(body.slice(10));
    answered.resolve();
    http.services.commit(messageAdded("still here"));
    expect((await response)[0].statusCode).toBe(201);
    expect((await answer).status).toBe(200);
    expect(await reader.next()).toMatchObject({ data: messageAdded("still here") });
    await reader.cancel();
  });

  it("[X13] connections that are all being answered keep their place, and a further one is closed", async () => {
    const answered = Promise.withResolvers<void>();
    let asked = 0;
    const list = async () => {
      asked++;
      await answered.promise;
      return { agents: [], defaultAgent: "native" as const };
    };
    const { listener } = await start({ limits: { connections: 2 }, services: { agents: { list } } });
    const ask = () =>
      stall(listener.port, `GET /api/agents HTTP/1.1\r\nHost: 127.0.0.1:${listener.port}\r\nAuthorization: Bearer ${testToken}\r\n\r\n`);
    const first = await ask();
    await ask();
    await vi.waitUntil(() => asked === 2);
    const third = await stall(listener.port, "");
    third.resume();
    await once(third, "end");
    const data = once(first, "data");
    answered.resolve();
    expect(String((await data)[0])).toMatch(/^HTTP\/1\.1 200/);
  });

  it("[X13] a client whose request timed out is disconnected, whether it closes its end or not", async () => {
    const { listener } = await start({ limits: { headersTimeoutMs: 100, connectionsCheckMs: 50 } });
    const socket = await stall(listener.port, "GET / HTTP/1.1\r\nHost: x\r\n");
    let answer = "";
    socket.setEncoding("utf8").on("data", (text: string) => {
      answer += text;
    });
    await once(socket, "end");
    expect(answer).toMatch(/^HTTP\/1\.1 408/);
    // the server has released the connection: further data is answered with a reset
    const closed = new Promise<void>((resolve) => socket.on("close", () => resolve()));
    const writing = setInterval(() => socket.write("x"), 20);
    await closed.finally(() => clearInterval(writing));
  });
});

describe("cookies of other programs at the same address", () => {
  const cookies = Array.from({ length: 40 }, (_, index) => `junk${index}=${"x".repeat(4000)}`).join("; ");

  it("[X18] too many for a request are answered with a page that explains the fix", async () => {
    const { origin } = await start();
    const page = await fetch(`${origin}/`, { headers: { accept: "text/html", cookie: cookies } });
    expect([page.status, page.headers.get("content-type")]).toEqual([431, "text/html; charset=utf-8"]);
    expect(await page.text()).toContain("Delete the cookies of this address");
    const api = await fetch(`${origin}/api/tasks`, { headers: { accept: "application/json", cookie: cookies } });
    expect([api.status, await api.json()]).toMatchObject([431, { code: "headers-too-large" }]);
  });
});
