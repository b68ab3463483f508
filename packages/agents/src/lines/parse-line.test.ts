import { describe, expect, it } from "vitest";
import { parseLine } from "./parse-line.ts";

const notJson = { type: "unreadable", reason: "This line is not JSON." };
const noObject = { type: "unreadable", reason: "This line is JSON, but not an object." };

describe("parseLine", () => {
  it.each([
    ["broken JSON", '{"type":"text"', notJson],
    ["prose", "Warning: something", notJson],
    ["a NUL in it", '{"a":"\u0000"}', notJson],
    ["two objects", '{"a":1}{"b":2}', notJson],
    ["a number", "12", noObject],
    ["null", "null", noObject],
    ["an array", "[1]", noObject],
    ["nothing", "", { type: "blank" }],
    ["white space", " \t\r", { type: "blank" }],
    ["a carriage return at its end", '{"a":1}\r', { type: "object", value: { a: 1 } }],
    ["a byte order mark", '\ufeff{"a":1}', { type: "object", value: { a: 1 } }],
    ["an escaped NUL", '{"a":"\\u0000"}', { type: "object", value: { a: "\u0000" } }],
    ["the same key twice", '{"id":"item_1","id":""}', { type: "object", value: { id: "" } }],
  ])("[Q13] reads a line with %s", (_, text, expected) => {
    expect(parseLine(text)).toEqual(expected);
  });

  it("[Q13] `__proto__` is a key like others and changes no prototype", () => {
    const parsed = parseLine('{"__proto__":{"type":"result"}}');
    if (parsed.type !== "object") throw new Error("expected an object");
    expect(Object.getPrototypeOf(parsed.value)).toBe(Object.prototype);
    expect(parsed.value.type).toBeUndefined();
    expect(Object.keys(parsed.value)).toEqual(["__proto__"]);
  });

  it("[Q13] reads a value that is nested 100,000 deep", () => {
    expect(parseLine(`{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`).type).toBe("object");
  });
});
