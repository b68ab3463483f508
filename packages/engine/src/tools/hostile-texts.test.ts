import type { JsonValue } from "@skein/contracts";
import { buildHostileTexts, growsLinearly } from "@skein/testkit/hostile";
import { describe, expect, it } from "vitest";
import { estimateTokens } from "../tokens/estimate-tokens.ts";
import { shippedToolProcessors } from "./shipped-tool-processors.ts";
import { presentTool } from "./tool-registry.ts";

const names = buildHostileTexts(0.001).map(({ name }) => name);
const sample = (name: string, size: number) => buildHostileTexts(size).find((text) => text.name === name)?.text ?? "";
const toolNames = [...new Set(shippedToolProcessors.flatMap((processor) => [...processor.toolNames])), "mcp__a__b", "unknown"];

/** The text in every position where a tool may have one. */
function toInput(text: string): JsonValue {
  const fields =
    "command path file_path content old_string new_string pattern query url prompt description plan patch text diff cell_id".split(" ");
  return Object.fromEntries(fields.map((field) => [field, text]));
}

describe("[X19] agent texts that the server parses", () => {
  it.each(names)("[X19] the cards of %s take linear time", (name) => {
    const texts = new Map([0.125, 1].map((size) => [size, sample(name, size)]));
    const work = (size: number) => {
      const text = texts.get(size) ?? "";
      const common = { input: toInput(text), output: text, isError: false, state: "completed" as const };
      for (const toolName of toolNames) presentTool({ toolName, ...common, structured: { stdout: text, content: text } });
      estimateTokens(text);
    };
    expect(growsLinearly(work, { size: 0.125 })).toBe(true);
  });
});
