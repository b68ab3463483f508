import type { JsonValue, ToolCall, ToolResultPart } from "@skein/contracts";

/** The text of the error result for a call without one. */
export const missingResultText = "No result: the tool call was interrupted. The tool may have run.";

/** The error result for a call without one. It depends only on the call, so the same history gives the same bytes. */
export function toMissingResult({ function: { name, arguments: text } }: ToolCall, toolCallId: string): ToolResultPart {
  return { type: "tool-result", toolCallId, toolName: name, input: parseArguments(text), result: missingResultText, isError: true };
}

function parseArguments(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return text; // broken JSON is kept as text
  }
}
