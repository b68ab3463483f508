import { expect, test } from "vitest";
import { createFlowControl } from "./flow-control.ts";
import { createScrollBack } from "./scroll-back.ts";

const text = ({ start, data }: { start: number; data: Uint8Array }) => [start, Buffer.from(data).toString()];

test("[L9] the end of the output is kept, from the beginning of a line if there is one; a reader learns where it starts", () => {
  const output = createScrollBack(10);
  expect(text(output.read(0, 100))).toEqual([0, ""]);
  output.append(Buffer.from("one\n"));
  output.append(Buffer.from("two\n"));
  expect(text(output.read(0, 100))).toEqual([0, "one\ntwo\n"]);
  expect(text(output.read(2, 3))).toEqual([2, "e\nt"]);
  output.append(Buffer.from("three\n"));
  expect([output.end, ...text(output.read(0, 100))]).toEqual([14, 4, "two\nthree\n"]);
  output.append(Buffer.from("4\n"));
  // not "wo\n…"
  expect(text(output.read(0, 100))).toEqual([8, "three\n4\n"]);
  output.append(Buffer.from("a line that is far too long"));
  expect(text(output.read(0, 100))).toEqual([33, "r too long"]);
  expect(text(output.read(500, 100))).toEqual([43, ""]);
});

test("[L9] a reader that is behind holds the program back, and one that has left does not", () => {
  let now = 0;
  const flow = createFlowControl({ bytes: 100, staleMs: 50 }, () => now);
  expect([flow.isBehind(1000), flow.hasReaders()]).toEqual([false, false]);
  flow.onRead("slow", 0);
  flow.onRead("fast", 900);
  expect([flow.isBehind(100), flow.isBehind(101), flow.hasReaders()]).toEqual([false, true, true]);
  flow.onRead("slow", 950);
  expect(flow.isBehind(1000)).toBe(false);
  now = 51;
  expect([flow.isBehind(5000), flow.hasReaders()]).toEqual([false, false]);
});
