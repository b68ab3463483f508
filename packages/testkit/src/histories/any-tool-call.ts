import type { JsonValue, ToolCall, ToolResultPart } from "@skein/contracts";
import fc from "fast-check";
import { anyImage } from "./any-image.ts";
import { anyText } from "./any-text.ts";

/** Few enough that calls and results match, repeat and swap; odd enough that no provider accepts all of them. */
export const anyCallId: fc.Arbitrary<string> = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom("a", "b", "c", "toolu_01", "call_abc", "a_2", "123456789") },
  {
    weight: 3,
    arbitrary: fc.constantFrom("", "a b", "a.b", "a:b", "ä", "\ud800", "\ud801", `long-${"x".repeat(80)}`, `long-${"x".repeat(81)}`),
  },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 70 }) },
);

export const anyToolName: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom("read", "bash", "mcp__files__read") },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      "",
      "files.read",
      "files_read",
      "files/read",
      "1st",
      "-x",
      "é",
      "\ud83d",
      "n".repeat(130),
      `${"n".repeat(130)}2`,
    ),
  },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 20 }) },
);

const anyArguments: fc.Arbitrary<string> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      "{}",
      '{"path":"a.ts"}',
      "",
      "   ",
      "{",
      "[1,2]",
      "null",
      '"word"',
      "12345678901234567890",
      '{"a":"\\ud800"}',
    ),
  },
  { weight: 2, arbitrary: fc.json({ maxDepth: 3 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '{"__proto__":{"x":1}}',
      '{"\\udc00key":1}',
      "[".repeat(3000) + "]".repeat(3000),
      `{"a":${'{"b":'.repeat(300)}1${"}".repeat(301)}`,
    ),
  },
  { weight: 1, arbitrary: anyText },
);

export interface CallOrigins {
  /** `providerData` as the models of a test produce it, and invalid data. */
  providerData: fc.Arbitrary<JsonValue | undefined>;
}

export function anyToolCall({ providerData }: CallOrigins): fc.Arbitrary<ToolCall> {
  return fc.tuple(anyCallId, anyToolName, anyArguments, providerData).map(([id, name, text, data]) => ({
    id,
    type: "function",
    function: { name, arguments: text },
    ...(data === undefined ? {} : { providerData: data }),
  }));
}

export const anyToolResult: fc.Arbitrary<ToolResultPart> = fc
  .record({
    toolCallId: anyCallId,
    toolName: anyToolName,
    result: fc.oneof(
      { weight: 4, arbitrary: anyText },
      {
        weight: 1,
        arbitrary: fc.array(
          fc.oneof(
            anyText.map((text) => ({ type: "text" as const, text })),
            anyImage,
          ),
          { maxLength: 3 },
        ),
      },
    ),
    isError: fc.option(fc.boolean(), { nil: undefined }),
  })
  .map(({ isError, ...part }) => ({ type: "tool-result", input: {}, ...part, ...(isError === undefined ? {} : { isError }) }));
