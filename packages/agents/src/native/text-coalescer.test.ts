import fc from "fast-check";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createProgressReporter } from "./progress-reporter.ts";
import { TextCoalescer } from "./text-coalescer.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function create(): { coalescer: TextCoalescer<number>; flushed: [number, string][] } {
  const flushed: [number, string][] = [];
  const flush = (key: number, text: string) => void flushed.push([key, text]);
  return { coalescer: new TextCoalescer<number>({ patienceMs: 30, maximumLength: 10, flush }, (a, b) => a === b), flushed };
}

test("small pieces become one record when the time is up, or earlier when they are many", () => {
  const { coalescer, flushed } = create();
  coalescer.push(0, "a");
  coalescer.push(0, "b");
  expect(flushed).toEqual([]);
  vi.advanceTimersByTime(30);
  expect(flushed).toEqual([[0, "ab"]]);
  coalescer.push(0, "0123456789");
  expect(flushed).toEqual([
    [0, "ab"],
    [0, "0123456789"],
  ]);
  vi.advanceTimersByTime(100);
  expect(flushed).toHaveLength(2);
});

test("nothing is lost or reordered between streams", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat({ max: 2 }), fc.string({ maxLength: 6 }))), (pushes) => {
      const { coalescer, flushed } = create();
      for (const [key, text] of pushes) coalescer.push(key, text);
      coalescer.flush();
      const spell = (entries: [number, string][]) =>
        entries.flatMap(([key, text]) => [...text].map((letter) => `${key}${letter}`)).join("");
      expect(spell(flushed)).toBe(spell(pushes));
    }),
  );
});

test("discarded text is never shown", () => {
  const { coalescer, flushed } = create();
  coalescer.push(0, "void");
  coalescer.discard();
  vi.advanceTimersByTime(100);
  expect(flushed).toEqual([]);
});

test("[N3] live output of a tool is bounded, which is stated once", () => {
  const shown: string[] = [];
  const progress = createProgressReporter((text) => shown.push(text));
  for (let i = 0; i < 1000; i++) progress.report("😀".repeat(100));
  progress.end();
  const all = shown.join("");
  expect(all.length).toBeLessThan(66_000);
  expect(all.isWellFormed()).toBe(true);
  expect(all.match(/more output is not shown/g)).toHaveLength(1);
  expect(shown.length).toBeLessThan(40);
});
