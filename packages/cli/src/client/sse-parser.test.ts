import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSseParser, type SseEvent } from "./sse-parser.ts";

function parse(...pieces: string[]): SseEvent[] {
  const parser = createSseParser();
  return pieces.flatMap((piece) => parser.push(piece));
}

describe("createSseParser", () => {
  it("gives an event with its name, data and id when its empty line came", () => {
    expect(parse("id: 7\nevent: message:added\ndata: {}\n")).toEqual([]);
    expect(parse("id: 7\nevent: message:added\ndata: {}\n", "\n")).toEqual([{ event: "message:added", data: "{}", id: "7" }]);
  });

  it("joins several data lines with line feeds and takes one space off each", () => {
    expect(parse("data: a\ndata:b\ndata:  c\ndata\n\n")).toEqual([{ event: "message", data: "a\nb\n c\n", id: undefined }]);
  });

  it("takes CRLF, CR and LF as line ends, also where CR and LF come apart", () => {
    expect(parse("data: a\r\n\r\n", "data: b\r\r", "data: c\r", "\n\r", "\n").map(({ data }) => data)).toEqual(["a", "b", "c"]);
  });

  it("ignores comments, unknown fields and events without data, and gives an id to its own event only", () => {
    expect(parse(": ping\n\nid: 2\n\nretry: 5\nother: x\nid: 3\ndata: a\n\ndata: b\n\n")).toEqual([
      { event: "message", data: "a", id: "3" },
      { event: "message", data: "b", id: undefined },
    ]);
  });

  it("does not carry an event's name over to the next", () => {
    expect(parse("event: one\ndata: a\n\ndata: b\n\n").map(({ event }) => event)).toEqual(["one", "message"]);
  });

  it("skips a byte order mark at the start only", () => {
    expect(parse("\uFEFFdata: \uFEFFa\n\n")).toEqual([{ event: "message", data: "\uFEFFa", id: undefined }]);
  });

  it("gives the same events wherever the stream is cut", () => {
    const lines = fc.constantFrom("data: a", "data: b🧵", "event: x", "id: 1", ": c", "", "data", "nonsense");
    const streams = fc.array(fc.tuple(lines, fc.constantFrom("\n", "\r\n", "\r")), { maxLength: 30 });
    fc.assert(
      fc.property(streams, fc.array(fc.nat(200), { maxLength: 10 }), (parts, cuts) => {
        // The line feed at the end decides a carriage return that would otherwise wait for its partner.
        const text = `${parts.map(([line, end]) => line + end).join("")}\n`;
        const sorted = [0, ...cuts.filter((cut) => cut < text.length).sort((a, b) => a - b), text.length];
        const pieces = sorted.slice(1).map((cut, index) => text.slice(sorted[index], cut));
        expect(parse(...pieces)).toEqual(parse(text));
      }),
    );
  });
});
