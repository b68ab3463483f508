import { describe, expect, it } from "vitest";
import { TrackedMap } from "./tracked-map.ts";

describe("TrackedMap", () => {
  it("[T5] what came and went between two commits is stored by neither of them", () => {
    const map = new TrackedMap<number>();
    map.set("short", 1);
    map.delete("short");
    map.set("long", 2);
    expect(map.takeChanges()).toEqual([["long", 2]]);
    map.delete("long");
    map.set("short", 3);
    expect(map.takeChanges()).toEqual([
      ["long", undefined],
      ["short", 3],
    ]);
    expect(map.takeChanges()).toEqual([]);
  });

  it("[T5] what an earlier server stored is removed when it ends; what it stored in another form is stored again", () => {
    const restored = new TrackedMap([["call", 1]]);
    restored.delete("call");
    expect(restored.takeChanges()).toEqual([["call", undefined]]);
    const converted = new TrackedMap([["call", 1]], { areNew: true });
    expect(converted.takeChanges()).toEqual([["call", 1]]);
    converted.delete("call");
    expect(converted.takeChanges()).toEqual([["call", undefined]]);
  });
});
