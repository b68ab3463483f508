import { expect, test } from "vitest";
import { WrittenJson } from "../services/written-json.ts";
import { toJsonResponse } from "./json-response.ts";

const written = (value: unknown) => new WrittenJson(new TextEncoder().encode(`${JSON.stringify(value)}\n`));

test("[C3] fields that are written already are the same JSON as fields that are not, of any length", async () => {
  const long = { messages: Array.from({ length: 30_000 }, (_, i) => `消息 ${i}`) };
  for (const [result, expected] of [
    [
      { a: 1, body: written(long) },
      { a: 1, body: long },
    ],
    [
      { body: written(null), more: written("x") },
      { body: null, more: "x" },
    ],
    [{ a: [1] }, { a: [1] }],
    [[1], [1]],
    [null, null],
  ]) {
    const response = toJsonResponse(result, 200);
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(await response.json()).toEqual(expected);
  }
});
