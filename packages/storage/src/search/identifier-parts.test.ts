import { describe, expect, it } from "vitest";
import { listIdentifierParts } from "./identifier-parts.ts";

describe("listIdentifierParts", () => {
  it.each([
    ["getUserById", ["UserById", "ById", "Id"]],
    ["parseStrictEmailAddress(x)", ["StrictEmailAddress", "EmailAddress", "Address"]],
    ["new HTTPServerError", ["ServerError", "Error"]],
    ["sha256Sum", ["Sum"]],
    ["snake_case and kebab-case words", []],
    ["修复getUserName的问题", ["UserName", "Name"]],
    ["getUserById getUserById", ["UserById", "ById", "Id"]],
    ["at the end: aHTTPCall", ["HTTPCall", "Call"]],
    ["x9A ABc", []],
    [`${"a".repeat(60)}Name ${"a".repeat(61)}Name`, ["Name"]],
    ["éUser", []],
  ])("%s", (text, parts) => {
    expect(listIdentifierParts(text)).toEqual(parts);
  });

  it("encoded data is not a name, and names with many words have few suffixes: the index stays small", () => {
    expect(listIdentifierParts("aB".repeat(50_000))).toEqual([]);
    expect(listIdentifierParts("aB".repeat(30))).toHaveLength(8);
  });
});
