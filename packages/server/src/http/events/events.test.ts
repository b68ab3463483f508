import { eventSchema } from "@skein/contracts";
import { ServiceError } from "@skein/engine";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { type EventReader, readEvents } from "../testing/event-reader.ts";
import { attemptId, messageAdded, otherTaskId, project, projectId, taskId } from "../testing/samples.ts";
import { createTestHttp, send, type TestHttpOptions } from "../testing/test-http.ts";

type Http = ReturnType<typeof createTestHttp>;

async function connect(http: Http, search = "", headers: Record<string, string> = {}): Promise<EventReader> {
  const response = await send(http, "GET", `/api/events${search}`, { headers });
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
  return readEvents(response);
}

function httpWith(count: number, options: TestHttpOptions = {}): Http {
  const http = createTestHttp(options);
  for (let i = 1; i <= count; i++) http.services.commit(messageAdded(`past ${i}`));
  return http;
}

const ids = (events: { id?: string }[]) => events.map((event) => Number(event.id));

describe("GET /api/events", () => {
  it("[E6] starts with retry and a comment; id is the sequence, event the type, data the event", async () => {
    const http = httpWith(0);
    const reader = await connect(http, "?after=0");
    http.services.commit(messageAdded("hello"));
    expect(await reader.next()).toEqual({ id: "1", event: "message:added", data: messageAdded("hello") });
    expect(reader.text().startsWith("retry: 1000\n: connected\n\n")).toBe(true);
    await reader.cancel();
  });

  it("[E6] replays everything after the client's last number, in pages, then continues live", async () => {
    const http = httpWith(1234);
    const list = vi.spyOn(http.services.events, "list");
    const reader = await connect(http, "?after=34");
    expect(ids(await reader.take(1200))).toEqual(Array.from({ length: 1200 }, (_, i) => 35 + i));
    http.services.commit(messageAdded("new"));
    expect(await reader.next()).toMatchObject({ id: "1235" });
    expect(list.mock.calls.every(([query]) => query.limit <= 500)).toBe(true);
    await reader.cancel();
  });

  it("[E6] Last-Event-ID wins over after", async () => {
    const reader = await connect(httpWith(10), "?after=2", { "last-event-id": "8" });
    expect(ids(await reader.take(2))).toEqual([9, 10]);
    await reader.cancel();
  });

  it("[E6] with neither it starts now, and sends the position so that a reconnect misses nothing", async () => {
    const http = httpWith(10);
    const reader = await connect(http);
    expect(await reader.next()).toEqual({ id: "10" });
    http.services.commit(messageAdded("new"));
    expect(await reader.next()).toMatchObject({ id: "11" });
    await reader.cancel();
  });

  it("[E6] live events have no id, and come after what is committed", async () => {
    const http = httpWith(2);
    http.services.show(messageAdded("typing", { revision: 2 }));
    const reader = await connect(http, "?after=0");
    const [first, second, live] = await reader.take(3);
    expect(ids([first ?? {}, second ?? {}])).toEqual([1, 2]);
    expect(live).toEqual({ event: "message:added", data: messageAdded("typing", { revision: 2 }) });
    http.services.show(messageAdded("typing on", { revision: 3 }));
    expect(await reader.next()).toEqual({ event: "message:added", data: messageAdded("typing on", { revision: 3 }) });
    await reader.cancel();
  });

  it("[E6] repeats=short names a message that it has shown when that is committed, and sends whole what it has not", async () => {
    const http = httpWith(1);
    const early = messageAdded("shown before it came");
    http.services.show(early);
    const reader = await connect(http, "?after=1&repeats=short");
    expect(await reader.next()).toEqual({ event: "message:added", data: early });
    const shown = messageAdded("typing", { revision: 2 });
    http.services.show(shown);
    http.services.commit(early);
    http.services.commit(shown);
    http.services.commit(messageAdded("typing on", { revision: 3 }));
    expect(await reader.take(4)).toEqual([
      { event: "message:added", data: shown },
      { id: "2", event: "message:committed", data: { attemptId, messageId: "msg_1", revision: 1 } },
      { id: "3", event: "message:committed", data: { attemptId, messageId: "msg_1", revision: 2 } },
      { id: "4", event: "message:added", data: messageAdded("typing on", { revision: 3 }) },
    ]);
    await reader.cancel();
  });

  it("[E6] repeats=short recognises a shown message by attempt, id and revision, not by identity", async () => {
    const http = httpWith(0);
    http.services.show(messageAdded("first", { revision: 1 }));
    const reader = await connect(http, "?after=0&repeats=short");
    const caughtUp = await reader.next();
    http.services.show(messageAdded("second", { revision: 2 }));
    http.services.commit(messageAdded("first", { revision: 1 }));
    http.services.commit(messageAdded("second", { revision: 2 }));
    http.services.commit(messageAdded("second", { revision: 2 }));
    expect([caughtUp, ...(await reader.take(4))].map((read) => [read?.id, read?.event])).toEqual([
      [undefined, "message:added"],
      [undefined, "message:added"],
      ["1", "message:committed"],
      ["2", "message:committed"],
      ["3", "message:added"], // the client dropped it when it was committed
    ]);
    await reader.cancel();
  });

  it("[E6] repeats=short sends of a text that grows what was added: the bytes follow what is new", async () => {
    const http = httpWith(0);
    const reader = await connect(http, "?after=0&repeats=short");
    const piece = "A sentence of an answer that goes on and on. ";
    const first = messageAdded(piece, { revision: 1, metadata: { streaming: true } });
    http.services.show(first);
    expect(await reader.next()).toEqual({ event: "message:added", data: first });
    let content = piece;
    for (let revision = 2; revision <= 500; revision++) {
      content += piece;
      http.services.show(messageAdded(content, { revision, metadata: { streaming: true } }));
    }
    http.services.commit(messageAdded(content, { revision: 501 }));
    const events = await reader.take(500);
    expect(events[0]).toMatchObject({ event: "message:grown", data: { attemptId, from: 1, append: piece, message: { revision: 2 } } });
    expect(events.at(-1)).toMatchObject({ id: "1", event: "message:grown", data: { from: 500, append: "" } });
    expect(reader.text().length).toBeLessThan(events.length * (piece.length + 400));
    await reader.cancel();
  });

  it("[E6] taskId gives the events of one task only", async () => {
    const http = httpWith(1);
    http.services.commit(messageAdded("other", { taskId: otherTaskId }));
    http.services.commit({ type: "project:created", projectId, project });
    http.services.show(messageAdded("other live", { taskId: otherTaskId }));
    const reader = await connect(http, `?after=0&taskId=${taskId}`);
    expect(ids(await reader.take(1))).toEqual([1]);
    http.services.commit(messageAdded("other", { taskId: otherTaskId }));
    http.services.commit(messageAdded("mine"));
    expect(await reader.next()).toMatchObject({ id: "5" });
    await reader.cancel();
  });

  it("[E6] each committed event comes once and in order, however commits, publishing and reading interleave", async () => {
    const step = fc.constantFrom("commit", "commit-held", "publish", "read", "show", "turn" as const);
    await fc.assert(
      fc.asyncProperty(
        fc.nat({ max: 30 }),
        fc.array(step, { maxLength: 60 }),
        fc.integer({ min: 300, max: 5000 }),
        async (past, steps, eventClientBytes) => {
          const http = httpWith(past, { limits: { eventClientBytes: Math.max(eventClientBytes, 2000) } });
          const { services } = http;
          const { list, lastSeq } = services.events;
          // reads take time: events are committed and published while they run
          services.events.list = async (query) => {
            const events = await list(query);
            await new Promise(setImmediate);
            return events;
          };
          services.events.lastSeq = async () => {
            await new Promise(setImmediate);
            return lastSeq();
          };
          let total = past;
          let held = 0; // a client that is up to date cannot see these before they are published
          const publishHeld = () => {
            services.publishHeld();
            held = 0;
          };
          const reader = await connect(http, "?after=0");
          const seen: number[] = [];
          const readOne = async () => {
            const event = await reader.next();
            if (event?.id !== undefined) seen.push(Number(event.id));
            return event;
          };
          for (const action of steps) {
            if (action === "commit" || action === "commit-held") {
              // commits are published in order: what is held goes first
              if (action === "commit") publishHeld();
              if (action === "commit") services.commit(messageAdded(`event ${++total}`));
              else services.commitHeld(messageAdded(`event ${++total}`));
              if (action === "commit-held") held += 1;
            } else if (action === "publish") publishHeld();
            else if (action === "show") services.show(messageAdded("live"));
            else if (action === "read" && seen.length < total - held && services.listenerCount() > 0) await readOne();
            else await new Promise(setImmediate);
            if (action === "read") publishHeld();
          }
          publishHeld();
          while (seen.length < total) if ((await readOne()) === undefined) break;
          const expected = Array.from({ length: total }, (_, i) => i + 1);
          // a client that read too slowly was disconnected, but what it received has no gap
          expect(seen).toEqual(expected.slice(0, seen.length));
          if (services.listenerCount() > 0) expect(seen).toEqual(expected);
          await reader.cancel();
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe("replay during many commits", () => {
  it("[E6] what did not fit into memory during a slow replay is read from storage, without a gap", async () => {
    const http = httpWith(3, { limits: { eventClientBytes: 4000 } });
    const { list } = http.services.events;
    const asked = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<void>();
    http.services.events.list = async (query) => {
      const events = await list(query);
      asked.resolve();
      await answer.promise;
      return events;
    };
    const reader = await connect(http, "?after=0");
    await asked.promise;
    for (let i = 0; i < 50; i++) http.services.commit(messageAdded("x".repeat(1000)));
    answer.resolve();
    expect(ids(await reader.take(53))).toEqual(Array.from({ length: 53 }, (_, i) => i + 1));
    await reader.cancel();
  });
});

describe("a gap too large to replay", () => {
  const limits = { replayEvents: 5 };

  it("[E6] names each task in it, with the last one the position, and reads none of the conversations", async () => {
    const http = httpWith(3, { limits });
    for (let i = 0; i < 4; i++) http.services.commit(messageAdded("other", { taskId: otherTaskId }));
    const page = vi.spyOn(http.services.conversation, "page");
    const list = vi.spyOn(http.services.events, "list");
    const reader = await connect(http, "?after=1");
    const [first, second] = await reader.take(2);
    expect(first).toEqual({ event: "state:conversation-sync", data: { type: "state:conversation-sync", taskId } });
    expect(second).toMatchObject({ id: "7", event: "state:conversation-sync", data: { taskId: otherTaskId } });
    expect(eventSchema.parse(first?.data)).toEqual(first?.data);
    http.services.commit(messageAdded("new"));
    expect(await reader.next()).toMatchObject({ id: "8", event: "message:added" });
    expect([page.mock.calls, list.mock.calls]).toEqual([[], []]);
    await reader.cancel();
  });

  it("[E6] as large as the limit is still replayed", async () => {
    const reader = await connect(httpWith(6, { limits }), "?after=1");
    expect(ids(await reader.take(5))).toEqual([2, 3, 4, 5, 6]);
    await reader.cancel();
  });

  it("[E6] a number from another database counts as a gap", async () => {
    const reader = await connect(httpWith(3, { limits }), "?after=999");
    expect(await reader.next()).toMatchObject({ id: "3", event: "state:conversation-sync" });
    await reader.cancel();
  });

  it("[E6] for one task is answered with that task and its conversation", async () => {
    const http = httpWith(8, { limits });
    http.services.commit(messageAdded("other", { taskId: otherTaskId }));
    const reader = await connect(http, `?after=0&taskId=${taskId}`);
    expect(await reader.take(2)).toMatchObject([
      { event: "task:updated", data: { task: { id: taskId } } },
      { id: "9", event: "state:conversation-sync", data: { taskId, state: { attemptId } } },
    ]);
    await reader.cancel();
  });

  it("[E6] for a task that was deleted is answered with that", async () => {
    const http = createTestHttp({ limits });
    for (let i = 0; i < 9; i++) http.services.commit({ type: "project:created", projectId, project });
    http.services.commit({ type: "task:deleted", taskId, projectId });
    http.services.tasks.get = async () => {
      throw new ServiceError("not-found", { code: "task-not-found", id: taskId });
    };
    const reader = await connect(http, `?after=0&taskId=${taskId}`);
    expect(await reader.next()).toMatchObject({ id: "10", event: "task:deleted" });
    await reader.cancel();
  });
});

describe("clients", () => {
  it("[X13] one more than allowed is 503; a place is free again when one leaves", async () => {
    const http = createTestHttp({ limits: { eventClients: 2 } });
    const [first] = [await connect(http), await connect(http)];
    const refused = await send(http, "GET", "/api/events");
    expect([refused.status, await refused.json()]).toMatchObject([503, { code: "too-many-event-clients" }]);
    await first?.cancel();
    await connect(http);
  });

  it("a client that leaves is forgotten, and HEAD opens no stream", async () => {
    const http = createTestHttp();
    const reader = await connect(http);
    expect(http.services.listenerCount()).toBe(1);
    await reader.cancel();
    expect(http.services.listenerCount()).toBe(0);
    expect((await send(http, "HEAD", "/api/events")).status).toBe(200);
    expect(http.services.listenerCount()).toBe(0);
  });

  it("[Q15] a client that does not read is cut off at its limit, and the others get everything", async () => {
    const http = createTestHttp({ limits: { eventClientBytes: 10_000 } });
    const stalled = await connect(http);
    const reader = await connect(http);
    await Promise.all([stalled.next(), reader.next()]);
    const text = "x".repeat(1000);
    for (let i = 1; i <= 100; i++) {
      http.services.commit(messageAdded(text));
      expect(await reader.next()).toMatchObject({ id: String(i) });
    }
    expect(http.services.listenerCount()).toBe(1);
    await stalled.cancel();
    await reader.cancel();
  });

  it("[Q15] a client that never reads does not keep its place", async () => {
    const http = createTestHttp({ limits: { heartbeatMs: 1 } });
    const response = await send(http, "GET", "/api/events");
    expect(http.services.listenerCount()).toBe(1);
    await vi.waitUntil(() => http.services.listenerCount() === 0);
    await response.body?.cancel();
  });

  it("[Q15] an event larger than the whole limit still arrives, live and replayed", async () => {
    const http = createTestHttp({ limits: { eventClientBytes: 1000 } });
    const large = messageAdded("x".repeat(50_000));
    http.services.commit(large);
    http.services.commit(large);
    const reader = await connect(http, "?after=0");
    expect(ids(await reader.take(2))).toEqual([1, 2]);
    http.services.commit(large);
    expect(await reader.next()).toEqual({ id: "3", event: "message:added", data: large });
    await reader.cancel();
  });

  it("[Q15] what is shown but not committed arrives, even when all of it is larger than the limit", async () => {
    const http = createTestHttp({ limits: { eventClientBytes: 1000 } });
    for (let i = 0; i < 20; i++) http.services.show(messageAdded("x".repeat(500)));
    const reader = await connect(http);
    expect(await reader.take(21)).toHaveLength(21);
    expect(http.services.listenerCount()).toBe(1);
    await reader.cancel();
  });

  it("heartbeats keep the connection known to be alive", async () => {
    const http = createTestHttp({ limits: { heartbeatMs: 1 } });
    const response = await send(http, "GET", "/api/events");
    const reader = response.body?.getReader();
    let text = "";
    while (!text.endsWith("\n\n:\n\n")) text += new TextDecoder().decode((await reader?.read())?.value);
    await reader?.cancel();
  });

  it("close ends every stream", async () => {
    const http = createTestHttp();
    const reader = await connect(http);
    await reader.next();
    http.close();
    expect(await reader.next()).toBeUndefined();
    expect(http.services.listenerCount()).toBe(0);
  });

  it("a storage that fails ends the stream, so that the browser tries again", async () => {
    const http = createTestHttp();
    http.services.events.lastSeq = () => Promise.reject(new Error("disk"));
    const reader = await connect(http);
    expect(await reader.next()).toBeUndefined();
  });
});
