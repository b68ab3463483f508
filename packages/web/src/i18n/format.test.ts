import { describe, expect, it } from "vitest";
import { createFormats } from "./format.ts";

const en = createFormats("en");

describe("durations", () => {
  it.each([
    [-5, "0 ms"],
    [0, "0 ms"],
    [999, "999 ms"],
    [1000, "1 sec"],
    [4260, "4.2 sec"],
    [59_999, "59.9 sec"],
    [60_000, "1 min"],
    [80_000, "1 min 20 sec"],
    [7_500_000, "2 hr 5 min"],
  ])("%i ms is %s", (ms, text) => expect(en.duration(ms)).toBe(text));

  it("a ticking duration never shows a fraction, which would jitter", () => {
    expect([en.elapsed(999), en.elapsed(1999), en.elapsed(61_000)]).toEqual(["0 sec", "1 sec", "1 min 1 sec"]);
  });

  it("follows the locale", () => expect(createFormats("zh-CN").duration(80_000)).toBe("1 分钟 20 秒"));
});

describe("sizes", () => {
  it.each([
    [0, "0 bytes", "0 字节"],
    [1, "1 byte", "1 字节"],
    [999, "999 bytes", "999 字节"],
    [1500, "1.5 kB", "1.5 kB"],
    [1_230_000_000, "1.2 GB", "1.2 GB"],
  ])("%i bytes are %s, in Chinese %s", (bytes, english, chinese) => {
    expect([en.bytes(bytes), createFormats("zh-CN").bytes(bytes)]).toEqual([english, chinese]);
  });
});

it("lists names with the comma of the language", () => {
  const names = ["a", "b", "c"];
  expect([en.list(names), createFormats("zh-CN").list(names)]).toEqual(["a, b, c", "a、b、c"]);
});

describe("ages", () => {
  it.each([
    [-1, "<1m"],
    [59_999, "<1m"],
    [300_000, "5m"],
    [10_800_000, "3h"],
    [200_000_000, "2d"],
  ])("%i ms is %s", (ms, text) => expect(en.age(ms)).toBe(text));
});

describe("relative times", () => {
  const now = 1_000_000_000;
  it.each([
    [0, "now"],
    [61_000, "1 min. ago|1min ago|1m ago"],
    [3_600_000, "1 hr. ago|1h ago|1hr ago"],
    [86_400_000, "yesterday"],
  ])("%i ms ago", (ago, expected) => expect(expected.split("|")).toContain(en.relative(now - ago, now)));
});
