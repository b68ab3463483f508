import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { JsonParts, JsonPartsError, parseJson } from "./json-parts.ts";

const options = { arrays: new Set(["list"]), skipped: new Set(["skipped"]), maxLength: 10_000 };

/** What the parts of the text lead to. */
function read(chunks: readonly string[], limits: Partial<typeof options> = {}): Record<string, unknown> {
  const parts = new JsonParts({ ...options, ...limits });
  const result: Record<string, unknown> = {};
  for (const chunk of chunks) {
    for (const { field, index, text } of parts.read(chunk)) {
      const value = parseJson(text);
      if (index === undefined) result[field] = value;
      else {
        const list = (result[field] ?? []) as unknown[];
        expect(index).toBe(list.length);
        result[field] = [...list, value];
      }
    }
  }
  parts.end();
  return result;
}

function failureOf(text: string, limits: Partial<typeof options> = {}): unknown {
  try {
    return read([text], limits);
  } catch (error) {
    if (error instanceof JsonPartsError) return error.failure;
    throw error;
  }
}

describe("reading the fields of a JSON object while it arrives", () => {
  it("[I4] finds the same values however the text is cut and indented", () => {
    const objects = fc.dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true });
    const lists = fc.array(fc.jsonValue(), { minLength: 1 });
    fc.assert(
      fc.property(objects, lists, fc.array(fc.nat(20), { minLength: 1 }), fc.nat(4), (object, list, cuts, indent) => {
        const value = { ...object, list };
        const text = JSON.stringify({ ...value, skipped: { deep: ["}", '\\"'] } }, null, indent);
        const chunks: string[] = [];
        for (let at = 0, index = 0; at < text.length; index++) {
          const length = 1 + (cuts[index % cuts.length] ?? 0);
          chunks.push(text.slice(at, at + length));
          at += length;
        }
        const { skipped: _, ...expected } = JSON.parse(JSON.stringify(value)) as Record<string, unknown>;
        expect(read(chunks)).toEqual(expected);
      }),
    );
  });

  it.each<[string, unknown]>([
    ["", { kind: "cut-off" }],
    ['{"a": 1', { kind: "cut-off" }],
    ['{"list": [1, 2', { kind: "cut-off" }],
    ['{"a": "x', { kind: "cut-off" }],
    ["[]", { kind: "not-json", reason: 'unexpected "["' }],
    ['{"a" 1}', { kind: "not-json", reason: 'unexpected "1"' }],
    ['{"a": 1,}', { kind: "not-json", reason: 'unexpected "}"' }],
    ['{"list": [1 2]}', { kind: "not-json", reason: 'unexpected "2"' }],
    ['{"list": [1, ]}', { kind: "not-json", reason: 'unexpected "]"' }],
    ['{"a": 1} {', { kind: "not-json", reason: 'unexpected "{"' }],
    ['{"a": 1, "a": 2}', { kind: "not-json", reason: '"a" appears twice' }],
    [`{"a": ${"[".repeat(501)}`, { kind: "too-deep", field: "a" }],
  ])("[I4] refuses %s", (text, failure) => {
    expect(failureOf(text)).toEqual(failure);
  });

  it("[I4] keeps no more than a part of limited length", () => {
    expect(failureOf(`{"a": "${"x".repeat(200)}"}`, { maxLength: 100 })).toEqual({ kind: "too-large", field: "a" });
    expect(failureOf(`{"skipped": "${"x".repeat(200)}", "a": 1}`, { maxLength: 100 })).toEqual({ a: 1 });
  });
});
