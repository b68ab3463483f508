import { describe, expect, it } from "vitest";
import { createPreference, preferences } from "./preference.ts";

describe("preferences", () => {
  it("holds its first value until another is chosen, also where nothing can be stored", () => {
    const size = createPreference("test.size", ["small", "large"]);
    expect(size.get()).toBe("small");
    const seen: string[] = [];
    size.subscribe(() => seen.push(size.get()));
    size.set("large");
    expect([size.get(), seen]).toEqual(["large", ["large"]]);
  });

  it("an import changes only what is known, to values that are known", () => {
    const color = createPreference("test.color", ["red", "blue"]);
    preferences.apply({ "test.color": "blue", "test.size": "huge", other: "x" });
    expect(preferences.toRecord()).toMatchObject({ "test.color": "blue", "test.size": "large" });
    preferences.apply({ "test.color": 7 });
    expect(color.get()).toBe("blue");
  });
});
