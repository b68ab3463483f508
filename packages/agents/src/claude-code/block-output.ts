import type { AgentOutput, JsonValue, MessageId } from "@skein/contracts";
import { asObject, objectField, stringField } from "@skein/engine";
import type { LineContext } from "../lines/json-line-decoder.ts";
import { toResultContent } from "./result-content.ts";

/** The position of a block. */
export interface BlockBase {
  messageId: MessageId;
  index: number;
  parentToolUseId?: string;
  at: number;
}

/** A complete block of an assistant message; undefined for an unknown kind. */
export function toBlockOutput(block: JsonValue, base: BlockBase, context: LineContext): AgentOutput | undefined {
  const type = stringField(block, "type") ?? "";
  switch (type) {
    case "text":
      return { type: "text", mode: "whole", text: stringField(block, "text") ?? "", ...base };
    case "thinking": {
      const signature = stringField(block, "signature");
      const text = stringField(block, "thinking") ?? "";
      return { type: "thinking", mode: "whole", text, ...(signature ? { signature } : {}), ...base };
    }
    case "redacted_thinking":
      return { type: "thinking", mode: "whole", text: "", providerData: block, ...base };
    case "tool_use":
    case "server_tool_use":
    case "mcp_tool_use":
      return toToolUse(block, base);
    default:
      // The result of a server-side tool of the API: `web_search_tool_result` and similar.
      return type.endsWith("_tool_result") ? toServerResult(block, context) : undefined;
  }
}

function toToolUse(block: JsonValue, base: BlockBase): AgentOutput {
  const input = asObject(block)?.input ?? {};
  const toolUseId = stringField(block, "id");
  // Arguments that were not JSON arrive wrapped: later requests must repeat the model's own text.
  const rawInput = stringField(objectField(input, "__unparsedToolInput"), "raw");
  const use: AgentOutput = { type: "tool-use", toolName: stringField(block, "name") ?? "tool", input, ...base };
  if (toolUseId !== undefined) use.toolUseId = toolUseId;
  if (rawInput !== undefined) use.rawInput = rawInput;
  return use;
}

function toServerResult(block: JsonValue, { ids, at }: LineContext): AgentOutput {
  const toolUseId = stringField(block, "tool_use_id");
  const content = asObject(block)?.content;
  const { output, images } = toResultContent(content);
  return {
    type: "tool-result",
    resultId: ids.next(),
    ...(toolUseId === undefined ? {} : { toolUseId }),
    output,
    isError: stringField(content, "error_code") !== undefined || asObject(block)?.is_error === true,
    ...(Array.isArray(content) ? { structured: { results: content } } : {}),
    ...(images.length === 0 ? {} : { images }),
    at,
  };
}
