import { z } from "zod";
import { dotted, type Parsed, parseShape, quoted } from "../parse-shape.ts";
import type { Violation } from "../violation.ts";

const cacheControl = { cache_control: z.unknown().optional() };

const textBlock = z.looseObject({ type: z.literal("text"), text: z.string(), ...cacheControl });

const imageBlock = z.looseObject({
  type: z.literal("image"),
  source: z.discriminatedUnion("type", [
    z.looseObject({
      type: z.literal("base64"),
      media_type: z.enum(["image/jpeg", "image/png", "image/gif", "image/webp"]),
      data: z.string(),
    }),
    z.looseObject({ type: z.literal("url"), url: z.string() }),
    z.looseObject({ type: z.literal("file"), file_id: z.string() }),
  ]),
  ...cacheControl,
});

const resultOnlyBlock = z.looseObject({ type: z.enum(["document", "search_result", "tool_reference"]), ...cacheControl });

const toolUseBlock = z.looseObject({
  type: z.literal("tool_use"),
  id: z.string(),
  name: z.string(),
  input: z.record(z.string(), z.unknown()),
  ...cacheControl,
});

const toolResultBlock = z.looseObject({
  type: z.literal("tool_result"),
  tool_use_id: z.string(),
  content: z.union([z.string(), z.array(z.discriminatedUnion("type", [textBlock, imageBlock, resultOnlyBlock]))]).optional(),
  is_error: z.boolean().optional(),
  ...cacheControl,
});

// A missing signature is a rule of its own (A9), not a matter of shape.
const thinkingBlock = z.looseObject({
  type: z.literal("thinking"),
  thinking: z.string(),
  signature: z.string().optional(),
  ...cacheControl,
});

const redactedThinkingBlock = z.looseObject({ type: z.literal("redacted_thinking"), data: z.string(), ...cacheControl });

const serverToolUseBlock = z.looseObject({ type: z.enum(["server_tool_use", "mcp_tool_use"]), id: z.string(), ...cacheControl });

const otherBlock = z.looseObject({
  type: z.enum([
    "document",
    "search_result",
    "web_search_tool_result",
    "web_fetch_tool_result",
    "code_execution_tool_result",
    "bash_code_execution_tool_result",
    "text_editor_code_execution_tool_result",
    "tool_search_tool_result",
    "advisor_tool_result",
    "mcp_tool_result",
    "mcp_tool_listing",
    "container_upload",
    "compaction",
    "fallback",
    "tool_addition",
    "tool_removal",
    "tool_reference",
  ]),
  ...cacheControl,
});

const block = z.discriminatedUnion("type", [
  textBlock,
  imageBlock,
  toolUseBlock,
  toolResultBlock,
  thinkingBlock,
  redactedThinkingBlock,
  serverToolUseBlock,
  otherBlock,
]);

const message = z.looseObject({
  role: z.enum(["user", "assistant", "system"]),
  content: z.union([z.string(), z.array(block)]),
});

const request = z.looseObject({
  model: z.string(),
  max_tokens: z.number().int().positive(),
  system: z.union([z.string(), z.array(textBlock)]).optional(),
  tools: z.array(z.looseObject({ name: z.string().optional(), ...cacheControl })).optional(),
  thinking: z.looseObject({ type: z.enum(["enabled", "disabled", "adaptive"]), budget_tokens: z.number().int().optional() }).optional(),
  messages: z.array(message).min(1),
  ...cacheControl,
});

export type AnthropicRequest = z.infer<typeof request>;
export type AnthropicMessage = AnthropicRequest["messages"][number];
export type AnthropicBlock = z.infer<typeof block>;
export type AnthropicImage = z.infer<typeof imageBlock>;

export function parseAnthropicRequest(body: unknown): Parsed<AnthropicRequest> {
  return parseShape(request, body, (issue, found): Violation => {
    const path = dotted(issue.path);
    if (path === "") return { rule: "shape", path, message: "The request body is not valid JSON" };
    return { rule: "shape", path, message: `${path}: ${reason(issue, found)}` };
  });
}

function reason(issue: z.core.$ZodIssue, found: unknown): string {
  if (issue.code === "too_small") return "at least one message is required";
  if (issue.code === "invalid_union" && issue.path.at(-1) === "type")
    return `Input tag '${quoted(found)}' does not match any of the expected tags`;
  if (found === undefined) return "Field required";
  if (issue.code === "invalid_type" && issue.expected === "record") return "Input should be a valid dictionary";
  return `Input should be ${issue.code === "invalid_type" ? `a valid ${issue.expected}` : "one of the permitted forms"}`;
}

/** The blocks of a message; a string is one text block, as the provider reads it. */
export function blocksOf(message: AnthropicMessage | undefined): AnthropicBlock[] {
  if (message === undefined) return [];
  return typeof message.content === "string" ? [{ type: "text", text: message.content }] : message.content;
}
