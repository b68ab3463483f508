import { describe, expect, it } from "vitest";
import { parseJsonOutput } from "./parse-json-output.ts";

describe("parseJsonOutput", () => {
  it("reads objects and lists, and leaves every other text alone", () => {
    expect(parseJsonOutput(' {"a":[1]}\n')).toEqual({ a: [1] });
    expect(parseJsonOutput("[]")).toEqual([]);
    for (const text of ["12", '"text"', "[not json]", "{a: 1}", "", "[1] and more"]) expect(parseJsonOutput(text), text).toBeUndefined();
  });

  it("[Q13] survives depth that no parser takes", () => {
    expect(() => parseJsonOutput("[".repeat(90_000) + "]".repeat(90_000))).not.toThrow();
  });
});
