import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readServerEvents } from "./read-server-events.ts";

async function read(chunks: readonly Uint8Array[]) {
  const events = [];
  for await (const event of readServerEvents(ReadableStream.from(chunks) as ReadableStream<Uint8Array>)) events.push(event);
  return events;
}

const encode = (text: string) => new TextEncoder().encode(text);

describe("readServerEvents", () => {
  it("[M4] reads events with names, ids and several lines, and drops comments and what was cut off", async () => {
    const text = ": hello\n\nid: 7\nevent: a\ndata: one\ndata:two\n\ndata\n\r\nid: 8\r\ndata: 多\r\n\r\nevent: cut\ndata: off\n";
    expect(await read([encode(text)])).toEqual([
      { type: "a", data: "one\ntwo", id: "7" },
      { type: "message", data: "", id: undefined },
      { type: "message", data: "多", id: "8" },
    ]);
  });

  it("[M4] reads the same however the bytes are cut", async () => {
    const end = fc.constantFrom("\n", "\r\n", "\r");
    const lines = fc.array(fc.constantFrom("data: a", "data: 多😀", "id: 1", "event: b", "", ": c"), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(lines, end, fc.array(fc.nat(200), { maxLength: 8 }), async (parts, newline, cuts) => {
        const bytes = encode(`${parts.join(newline)}${newline}data: last${newline}${newline}x`);
        const places = [...new Set([0, ...cuts.map((cut) => cut % bytes.length), bytes.length])].sort((a, b) => a - b);
        const chunks = places.slice(1).map((place, index) => bytes.slice(places[index], place));
        expect(await read(chunks)).toEqual(await read([bytes]));
      }),
    );
  });
});
