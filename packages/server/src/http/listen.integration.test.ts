import { once } from "node:events";
import { Agent, request } from "node:http";
import { connect, type Socket } from "node:net";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Services } from "../services/services.ts";
import type { HttpListener } from "./listen.ts";
import { readEvents } from "./testing/event-reader.ts";
import { messageAdded } from "./testing/samples.ts";
import { bearer, listenForTest, type TestHttpOptions, testToken } from "./testing/test-http.ts";

let listeners: HttpListener[] = [];
let sockets: Socket[] = [];

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await Promise.all(listeners.map((listener) => listener.close()));
  listeners = [];
  sockets = [];
});

async function start(options: TestHttpOptions = {}) {
  const started = await listenForTest(options);
  listeners.push(started.listener);
  return started;
}

async function open(port: number): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  sockets.push(socket);
  await once(socket, "connect");
  return socket;
}

/** Sends raw bytes and reads until the server closes the connection. */
async function exchange(port: number, bytes: string): Promise<string> {
  const socket = await open(port);
  let answer = "";
  socket.setEncoding("utf8").on("data", (text: string) => {
    answer += text;
  });
  const closed = once(socket, "close");
  socket.write(bytes);
  await closed;
  return answer;
}

const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);

describe("listen", () => {
  it("responds on a real socket, and reports its port", async () => {
    const { origin, listener } = await start();
    expect(listener.port).toBeGreaterThan(0);
    expect(await (await fetch(`${origin}/api/health`)).json()).toEqual({ status: "ready", version: "1.2.3", storage: "sqlite" });
    const created = await fetch(`${origin}/api/projects`, {
      method: "POST",
      headers: { ...bearer, "content-type": "application/json" },
      body: JSON.stringify({ path: "/repo" }),
    });
    expect(created.status).toBe(201);
    expect((await fetch(`${origin}/api/tasks/tsk_1`, { method: "DELETE", headers: bearer })).status).toBe(200);
    expect((await fetch(`${origin}/api/attempts/att_1/activate`, { method: "POST", headers: bearer })).status).toBe(200);
  });

  it("streams, files and documents come through as they do in-process", async () => {
    const { origin, http } = await start({ webRoot: import.meta.dirname });
    const get = async (path: string) => {
      const response = await fetch(`${origin}${path}`, { headers: bearer });
      return [response.status, response.headers.get("content-type"), (await response.text()).length > 0];
    };
    expect(await get("/api/openapi.json")).toEqual([200, "application/json", true]);
    expect(await get("/api/attempts/att_1/export")).toEqual([200, "text/markdown; charset=utf-8", true]);
    expect(await get("/listen.ts")).toEqual([200, "video/mp2t", true]);
    expect(await get("/missing.js")).toEqual([404, "application/problem+json", true]);
    const body = JSON.stringify({ code: new URL(http.createLaunchUrl()).hash.slice(1) });
    const headers = { origin, "content-type": "application/json" };
    const launch = await fetch(`${origin}/api/sessions`, { method: "POST", headers, body });
    expect([launch.status, launch.headers.getSetCookie().length]).toEqual([200, 1]);
    const head = await fetch(`${origin}/api/events`, { method: "HEAD", headers: bearer });
    expect([head.status, http.services.listenerCount()]).toEqual([200, 0]);
  });

  it("a port that is taken rejects", async () => {
    const { listener, http } = await start();
    const { listen } = await import("./listen.ts");
    await expect(listen({ http, host: "127.0.0.1", port: listener.port })).rejects.toMatchObject({ code: "EADDRINUSE" });
  });

  it.each(["evil.example:4180", "localhost", "127.0.0.1", "127.0.0.1:1", "a b", "@"])(
    "[X2] Host: %s is refused on the wire",
    async (host) => {
      const { listener } = await start();
      for (const path of ["/", "/api/health", "/api/events"]) {
        const answer = await exchange(
          listener.port,
          `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${testToken}\r\nConnection: close\r\n\r\n`,
        );
        expect([400, 403]).toContain(statusOf(answer));
        expect(answer).toContain("content-security-policy");
      }
    },
  );

  it("[X2] no Host, two Hosts, and an absolute address do not bypass the check", async () => {
    const { listener } = await start();
    const own = `127.0.0.1:${listener.port}`;
    const requests = [
      "GET /api/health HTTP/1.1\r\nConnection: close\r\n\r\n",
      `GET /api/health HTTP/1.1\r\nHost: ${own}\r\nHost: evil.example\r\nConnection: close\r\n\r\n`,
      "GET /api/health HTTP/1.0\r\n\r\n",
      `GET http://${own}/api/health HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n`,
    ];
    for (const bytes of requests) expect([400, 403]).toContain(statusOf(await exchange(listener.port, bytes)));
  });

  it("[X13] a body over the limit is 413, declared or not", async () => {
    const { listener } = await start({ limits: { bodyBytes: 1000 } });
    const head = `POST /api/tasks HTTP/1.1\r\nHost: 127.0.0.1:${listener.port}\r\nAuthorization: Bearer ${testToken}\r\nContent-Type: application/json\r\nConnection: close\r\n`;
    expect(statusOf(await exchange(listener.port, `${head}Content-Length: 5000\r\n\r\n${"x".repeat(5000)}`))).toBe(413);
    const chunk = `1388\r\n${"x".repeat(5000)}\r\n`;
    expect(statusOf(await exchange(listener.port, `${head}Transfer-Encoding: chunked\r\n\r\n${chunk}0\r\n\r\n`))).toBe(413);
  });

  it("[X13] a chunked body under the limit is read", async () => {
    const { listener } = await start();
    const body = JSON.stringify({ projectId: "prj_1", title: "Chunked" });
    const head = `POST /api/tasks HTTP/1.1\r\nHost: 127.0.0.1:${listener.port}\r\nAuthorization: Bearer ${testToken}\r\nContent-Type: application/json\r\nConnection: close\r\n`;
    const chunked = `${head}Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
    expect(statusOf(await exchange(listener.port, chunked))).toBe(201);
  });

  it("[X13] headers over the limit are 431, an invalid request is 400, both with the security headers; the server keeps running", async () => {
    const { listener, origin } = await start({ limits: { headerBytes: 4096 } });
    const large = await exchange(listener.port, `GET / HTTP/1.1\r\nHost: x\r\nX-Large: ${"x".repeat(10_000)}\r\n\r\n`);
    const nonsense = await exchange(listener.port, "nonsense\r\n\r\n");
    expect([statusOf(large), statusOf(nonsense)]).toEqual([431, 400]);
    for (const answer of [large, nonsense])
      expect(answer).toMatch(/content-security-policy: default-src 'none'[\s\S]*application\/problem\+json/);
    expect((await fetch(`${origin}/api/health`)).status).toBe(200);
  });

  it("[X13] an upgrade, a tunnel and a trace are rejected, and the server keeps running", async () => {
    const { listener, origin } = await start();
    const own = `127.0.0.1:${listener.port}`;
    const upgrade = `GET /api/events HTTP/1.1\r\nHost: ${own}\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\r\n`;
    expect(statusOf(await exchange(listener.port, upgrade))).toBe(401);
    expect(await exchange(listener.port, `CONNECT ${own} HTTP/1.1\r\nHost: ${own}\r\n\r\n`)).toBe("");
    expect(statusOf(await exchange(listener.port, `TRACE / HTTP/1.1\r\nHost: ${own}\r\nConnection: close\r\n\r\n`))).toBe(405);
    expect((await fetch(`${origin}/api/health`)).status).toBe(200);
  });

  it("[X13] headers that never end are 408", async () => {
    const { listener } = await start({ limits: { headersTimeoutMs: 100, connectionsCheckMs: 50 } });
    expect(statusOf(await exchange(listener.port, "GET / HTTP/1.1\r\nHost: x\r\n"))).toBe(408);
  });

  it("[Q15] a browser that does not read is disconnected, and slows no other", async () => {
    const { http, listener, origin } = await start({ limits: { eventClientBytes: 1024 * 1024 } });
    const stalled = await open(listener.port);
    stalled.pause();
    stalled.write(`GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:${listener.port}\r\nAuthorization: Bearer ${testToken}\r\n\r\n`);
    const reader = readEvents(await fetch(`${origin}/api/events`, { headers: bearer }));
    expect(await reader.next()).toEqual({ id: "0" });
    await vi.waitUntil(() => http.services.listenerCount() === 2);
    const text = "x".repeat(256 * 1024);
    for (let seq = 1; http.services.listenerCount() === 2; seq++) {
      http.services.commit(messageAdded(text));
      expect(await reader.next()).toMatchObject({ id: String(seq) });
      // the sockets' own buffers hold a few megabytes: far beyond that the client must have been disconnected
      expect(seq).toBeLessThan(400);
    }
    http.services.commit(messageAdded("after"));
    expect(await reader.next()).toMatchObject({ data: messageAdded("after") });
    await reader.cancel();
  });

  it("a browser that goes away is forgotten", async () => {
    const { http, origin } = await start();
    const reader = readEvents(await fetch(`${origin}/api/events`, { headers: bearer }));
    await reader.next();
    await reader.cancel();
    await vi.waitUntil(() => http.services.listenerCount() === 0);
  });

  it("close ends event streams and idle connections at once", async () => {
    const { http, listener, origin } = await listenForTest();
    const agent = new Agent({ keepAlive: true });
    const idle = request(`${origin}/api/health`, { agent }).end();
    const [response] = await once(idle, "response");
    response.resume();
    await once(response, "end");
    const reader = readEvents(await fetch(`${origin}/api/events`, { headers: bearer }));
    await reader.next();
    await listener.close();
    expect(await reader.next()).toBeUndefined();
    expect(http.services.listenerCount()).toBe(0);
    agent.destroy();
    await expect(fetch(`${origin}/api/health`)).rejects.toThrow();
  });

  it("close does not wait forever for a pending request", async () => {
    const asked = Promise.withResolvers<void>();
    const list = () => {
      asked.resolve();
      return new Promise<never>(() => {});
    };
    const { listener, origin } = await listenForTest({ services: { agents: { list } } });
    const answer = fetch(`${origin}/api/agents`, { headers: bearer }).catch((error: unknown) => error);
    await asked.promise;
    await listener.close();
    expect(await answer).toBeInstanceOf(TypeError);
  });

  it("[Q15] a search whose client has left is ended", async () => {
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    const search: Services["search"] = ({ signal }) =>
      new Promise((_, reject) => {
        signal?.addEventListener("abort", () => {
          resolve();
          reject(signal.reason);
        });
      });
    const { origin } = await start({ services: { search } });
    const leaving = new AbortController();
    const asked = fetch(`${origin}/api/search?q=lamp`, { headers: bearer, signal: leaving.signal });
    setTimeout(() => leaving.abort(), 50);
    await expect(asked).rejects.toThrow();
    await ended;
  });
});
