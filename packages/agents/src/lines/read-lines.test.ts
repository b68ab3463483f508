import fc from "fast-check";
import { expect, test } from "vitest";
import { readNativeControl } from "../native/read-native-control.ts";
import { readLines } from "./read-lines.ts";

async function* cut(bytes: Buffer, sizes: number[]): AsyncGenerator<Uint8Array> {
  let at = 0;
  for (const size of [...sizes, bytes.length]) {
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

test("[Q13] lines are complete, however the bytes are chunked", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.string({ unit: "grapheme" })), fc.array(fc.integer({ min: 0, max: 5 })), async (texts, sizes) => {
      const lines = texts.map((text) => text.replaceAll("\n", " "));
      const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(""));
      expect(await collect(readLines(cut(bytes, sizes)))).toEqual(lines);
    }),
  );
});

test("a last line without a newline is read, and lines that are not control messages are skipped", async () => {
  const answer = { type: "approval", toolUseId: "a", decision: "allow", reason: null };
  const bytes = Buffer.from(`nonsense\n{"type":"dance"}\n${JSON.stringify(answer)}\n{"type":"stop"}`);
  expect(await collect(readNativeControl(readLines(cut(bytes, []))))).toEqual([answer, { type: "stop" }]);
});
