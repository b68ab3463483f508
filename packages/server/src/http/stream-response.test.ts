import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { ServiceError } from "@skein/engine";
import { afterEach, expect, test, vi } from "vitest";
import { StreamedJson } from "../services/streamed-json.ts";
import { defaultHttpLimits } from "./http-limits.ts";
import { toStreamResponse } from "./stream-response.ts";
import { createFakeServices } from "./testing/fake-services.ts";
import { bearer, createTestHttp, listenForTest, send } from "./testing/test-http.ts";

const path = "/api/attempts/att_1/messages";
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** A server that streams these pieces, each generated when the previous one was read; it records what happened to them. */
async function serve(pieces: Iterable<string | Error>, limits: { stalledDownloadMs?: number; longestDownloadMs?: number } = {}) {
  const state = { made: 0, isEnded: false };
  async function* write(): AsyncGenerator<string, void> {
    try {
      for (const piece of pieces) {
        if (piece instanceof Error) throw piece;
        state.made += 1;
        yield piece;
      }
    } finally {
      state.isEnded = true;
    }
  }
  const fake = createFakeServices();
  const services = { attempts: { ...fake.attempts, messages: async () => new StreamedJson(write()) } };
  const { origin, listener } = await listenForTest({ services, limits: { ...defaultHttpLimits, ...limits } });
  closing.push(() => listener.close());
  return { url: `${origin}${path}`, origin, state, services };
}

async function open(url: string): Promise<IncomingMessage> {
  const [response] = (await once(get(url, { headers: bearer }), "response")) as [IncomingMessage];
  return response;
}

function* writeEndlessly(): Generator<string> {
  for (;;) yield `"${"x".repeat(100_000)}",`;
}

test("[Q16] a response that fails midway is cut off, and never looks complete", async () => {
  const { url, origin, state } = await serve(["[1", ",2", new Error("the disk is gone")]);
  await expect(fetch(url, { headers: bearer }).then((response) => response.text())).rejects.toThrow();
  expect(state).toEqual({ made: 2, isEnded: true });
  expect((await fetch(`${origin}/api/health`)).status).toBe(200);
});

test("[Q16] a response that fails before its first byte becomes an error response", async () => {
  const fault = new ServiceError("unavailable", { code: "storage-unavailable", cause: "disk-full" });
  const { url, origin, state } = await serve([fault, "[]"]);
  const response = await fetch(url, { headers: bearer });
  expect([response.status, await response.json()]).toMatchObject([503, { code: "storage-unavailable", cause: "disk-full" }]);
  expect(state).toEqual({ made: 0, isEnded: true });
  expect((await fetch(`${origin}/api/health`)).status).toBe(200);
});

test("[Q15] the source of a response is released if it is never read", async () => {
  const state = { isEnded: false };
  async function* write(): AsyncGenerator<string, void> {
    try {
      yield "[";
    } finally {
      state.isEnded = true;
    }
  }
  await toStreamResponse(write(), { headers: {}, stalledMs: 10, longestMs: 60_000, disconnect: undefined, onFailure: () => {} });
  await vi.waitFor(() => expect(state.isEnded).toBe(true));
});

test("[Q15] a client that disconnects before the first chunk holds nothing", async () => {
  const state = { isBegun: false, isEnded: false };
  const left = Promise.withResolvers<void>();
  async function* write(): AsyncGenerator<string, void> {
    try {
      state.isBegun = true;
      await left.promise;
      yield "[";
    } finally {
      state.isEnded = true;
    }
  }
  const fake = createFakeServices();
  const services = { attempts: { ...fake.attempts, messages: async () => new StreamedJson(write()) } };
  const { origin, listener } = await listenForTest({ services });
  closing.push(() => listener.close());
  const request = get(`${origin}${path}`, { headers: bearer }).on("error", () => {});
  await vi.waitFor(() => expect(state.isBegun).toBe(true));
  request.destroy();
  await new Promise((resolve) => setTimeout(resolve, 100));
  left.resolve();
  await vi.waitFor(() => expect(state.isEnded).toBe(true));
});

test("[Q15] generates no more than the client reads, and nothing after it has disconnected", async () => {
  const { url, state } = await serve(writeEndlessly());
  const response = await open(url);
  await once(response, "readable");
  // no more than fits into the buffers of both sides
  let made = -1;
  await vi.waitFor(() => {
    const before = made;
    made = state.made;
    if (made !== before) throw new Error("still making");
  });
  expect(state.isEnded).toBe(false);
  response.destroy();
  await vi.waitFor(() => expect(state.isEnded).toBe(true));
  expect(state.made).toBe(made);
});

test("[Q15] a client that stops reading is disconnected, and its source is released", async () => {
  const { url, state } = await serve(writeEndlessly(), { stalledDownloadMs: 200 });
  const response = await open(url);
  response.on("error", () => {});
  await vi.waitFor(() => expect(state.isEnded).toBe(true), { timeout: 30_000 });
  const closed = new Promise((resolve) => response.once("close", resolve));
  response.resume();
  await closed;
  expect(response.complete).toBe(false);
});

test("[Q15] a client that reads too slowly is disconnected after a while, too", async () => {
  const { url, state } = await serve(writeEndlessly(), { longestDownloadMs: 500 });
  const response = await open(url);
  response.on("error", () => {});
  // always before the stall timeout
  const timer = setInterval(() => response.read(), 20);
  await vi.waitFor(() => expect(state.isEnded).toBe(true), { timeout: 30_000 });
  clearInterval(timer);
  const closed = new Promise((resolve) => response.once("close", resolve));
  response.resume();
  await closed;
  expect(response.complete).toBe(false);
});

test("HEAD generates nothing", async () => {
  const { url, state, services } = await serve(["[]"]);
  const response = await fetch(url, { method: "HEAD", headers: bearer });
  expect([response.status, response.headers.get("content-type"), await response.text()]).toEqual([200, "application/json", ""]);
  expect(state).toEqual({ made: 0, isEnded: false });
  expect(await (await send(createTestHttp({ services }), "GET", path)).json()).toEqual([]);
});
