import { expect, test } from "vitest";
import { LruMap } from "./lru-map.ts";

test("the entry that was not used for the longest time is dropped", () => {
  const map = new LruMap<string, number | null>({ max: 2 });
  map.set("a", 1);
  map.set("b", null);
  expect(map.get("a")).toBe(1);
  map.set("c", 3);
  expect(["a", "b", "c"].map((key) => map.get(key))).toEqual([1, undefined, 3]);
});

test("a null is a value, and a new value replaces the old one", () => {
  const map = new LruMap<string, number | null>({ max: 2 });
  map.set("a", null);
  map.set("b", 1);
  map.set("b", 2);
  expect([map.get("a"), map.get("b")]).toEqual([null, 2]);
});
