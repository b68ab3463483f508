import { AgentUnusableError, ServiceError } from "@skein/engine";
import { expect, it, onTestFinished } from "vitest";
import { createMemoryChannels } from "../testing/memory-channels.ts";
import type { Channel } from "./channel.ts";
import { createAssembler, maxFrameBytes, toFrame } from "./frames.ts";
import { encodeMessage } from "./link-message.ts";
import { type LinkHandler, openLink } from "./open-link.ts";

function connect(handlers: Record<string, LinkHandler> = {}) {
  const { ends, cut } = createMemoryChannels();
  const server = openLink({
    channel: ends[0],
    facts: { name: "there" },
    findHandler: (method) => (Object.hasOwn(handlers, method) ? handlers[method] : undefined),
  });
  const client = openLink({ channel: ends[1], findHandler: () => undefined });
  onTestFinished(() => client.close("done"));
  return { server, client, cut };
}

async function collect(source: AsyncIterable<unknown>): Promise<unknown[]> {
  const items: unknown[] = [];
  for await (const item of source) items.push(item);
  return items;
}

it("[W3] carries calls, results and facts; data that looks like a marker stays data", async () => {
  const { client } = connect({ echo: async (...args) => args });
  expect(await client.opened).toEqual({ name: "there" });
  const args = [
    { text: "ö\u0000😀", list: [1, null, { deep: true }], bytes: new Uint8Array([0, 255, 10]) },
    { $bytes: 0, $stream: 1, other: { $data: { $bytes: 2 } } },
    JSON.parse('{"__proto__": {"polluted": true}, "constructor": 1}'),
  ];
  expect(await client.call("echo", args)).toEqual(args);
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  expect(await client.call("echo", [])).toEqual([]);
});

it("[W3] coded errors, agent hints and system error codes survive; an unknown method is an error", async () => {
  const { client } = connect({
    coded: () => Promise.reject(new ServiceError("conflict", { code: "in-conflict" }, { command: "git status" })),
    agent: () => Promise.reject(new AgentUnusableError({ code: "agent-removed" })),
    system: () => Promise.reject(Object.assign(new Error("full"), { code: "ENOSPC" })),
    thrown: () => {
      throw new Error("at once");
    },
  });
  const failOf = (method: string) => client.call(method, []).catch((error: unknown) => error);
  expect(await failOf("coded")).toMatchObject({
    name: "ServiceError",
    kind: "conflict",
    text: { code: "in-conflict" },
    command: "git status",
  });
  expect(await failOf("agent")).toMatchObject({ name: "AgentUnusableError", hint: { code: "agent-removed" } });
  expect(await failOf("system")).toMatchObject({ message: "full", code: "ENOSPC" });
  expect(await failOf("thrown")).toMatchObject({ message: "at once" });
  expect(await failOf("constructor")).toMatchObject({ message: "There is no method constructor." });
});

it("[W3] streams work in both directions, are read only as far as they are consumed, and end early when the reader stops", async () => {
  let produced = 0;
  const ended = Promise.withResolvers<void>();
  async function* numbers() {
    try {
      for (;;) yield produced++;
    } finally {
      ended.resolve();
    }
  }
  const { client } = connect({
    numbers: () => numbers(),
    sum: async (pieces) => (await collect(pieces as AsyncIterable<unknown>)).reduce((sum: number, one) => sum + Number(one), 0),
    async *failing() {
      yield 1;
      throw new ServiceError("not-found", { code: "in-conflict" });
    },
  });
  const stream = client.stream("numbers", []);
  expect((await stream.next()).value).toBe(0);
  await client.call("sum", [(async function* () {})()]); // everything in flight has arrived
  expect(produced).toBeLessThan(40);
  for (let wanted = 1; wanted < 100; wanted++) expect((await stream.next()).value).toBe(wanted);
  await stream.return?.();
  await ended.promise;
  const given = (async function* () {
    for (let one = 1; one <= 200; one++) yield one;
  })();
  expect(await client.call("sum", [given])).toBe(20_100);
  await expect(collect(client.stream("failing", []))).rejects.toMatchObject({ code: "in-conflict" });
});

it("[W3] a long message does not hold up a short one, and arrives whole", async () => {
  const order: string[] = [];
  const { client } = connect({ echo: async (value) => value });
  const long = new Uint8Array(3_000_000).map((_, at) => at % 251);
  const longDone = client.call("echo", [long]).then((value) => {
    order.push("long");
    return value;
  });
  await client.call("echo", ["short"]).then(() => order.push("short"));
  expect(Buffer.compare(Buffer.from((await longDone) as Uint8Array), Buffer.from(long))).toBe(0);
  expect(order).toEqual(["short", "long"]);
});

it("[W3] a lost connection rejects what is open, and ends the streams of the other side", async () => {
  const ended = Promise.withResolvers<void>();
  const { client, server, cut } = connect({
    never: () => new Promise(() => {}),
    ticks: () => ({
      [Symbol.asyncIterator]: () => ({
        next: () => new Promise(() => {}),
        async return() {
          ended.resolve();
          return { done: true, value: undefined };
        },
      }),
    }),
  });
  const call = client.call("never", []);
  const next = client.stream("ticks", []).next();
  await client.opened;
  await Promise.resolve();
  setImmediate(cut);
  await expect(call).rejects.toMatchObject({ name: "LinkClosedError" });
  await expect(next).rejects.toMatchObject({ name: "LinkClosedError" });
  await ended.promise;
  expect(await server.closed).toBe("cut");
  await expect(client.call("never", [])).rejects.toMatchObject({ name: "LinkClosedError" });
});

const noStream = () => {
  throw new Error("no stream");
};
const hello = toFrame(encodeMessage({ type: "hello", protocol: 1, facts: {} }, noStream), 1, 0);
const raw = (text: string) => {
  const json = Buffer.from(text);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(json.length);
  return toFrame(Buffer.concat([length, json]), 2, 0);
};

it.each<[string, Uint8Array[]]>([
  ["nothing", [new Uint8Array(0)]],
  ["a huge frame", [new Uint8Array(maxFrameBytes + 1)]],
  ["another protocol", [toFrame(encodeMessage({ type: "hello", protocol: 99 }, noStream), 1, 0)]],
  ["a message before the first", [raw('{"type":"ping"}')]],
  ["no JSON", [hello, raw("{")]],
  ["an unknown message", [hello, raw('{"type":"rm"}')]],
  ["wrong fields", [hello, raw('{"type":"call","id":"x","method":3,"args":[]}')]],
  ["bytes that are not attached", [hello, raw('{"type":"call","id":1,"method":"m","args":[{"$bytes":7}]}')]],
  [
    "items that were not requested",
    [hello, raw('{"type":"call","id":1,"method":"m","args":[{"$stream":5}]}'), raw('{"type":"item","stream":5,"value":1}')],
  ],
  ["deep nesting", [hello, raw(`{"type":"call","id":1,"method":"m","args":[${"[".repeat(20_000)}${"]".repeat(20_000)}]}`)]],
  ["a cut-off length", [hello, toFrame(Buffer.from([0, 0, 1, 0, 65]), 2, 0)]],
])("[W3] a hostile peer only loses its connection: %s", async (_name, frames) => {
  const { ends } = createMemoryChannels();
  const server = openLink({ channel: ends[0], findHandler: () => async () => "fine" });
  const peer: Channel = ends[1];
  peer.listen({ onFrame() {}, onClose() {} });
  for (const frame of frames) peer.send(frame);
  expect(await server.closed).toMatch(/LinkProtocolError|RangeError|TypeError/);
});

it("[W3] memory for unfinished messages is limited", () => {
  const assemble = createAssembler();
  const part = new Uint8Array(maxFrameBytes);
  expect(() => {
    for (let number = 1; number < 10_000; number++) {
      new DataView(part.buffer).setUint32(1, number);
      assemble(Uint8Array.from(part));
    }
  }).toThrow("messages of more than");
});
