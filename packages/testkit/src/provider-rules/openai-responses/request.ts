import { z } from "zod";
import { describeShapeIssue } from "../openai-violation.ts";
import { type Parsed, parseShape } from "../parse-shape.ts";

const id = { id: z.string().nullish() };

const contentPart = z.looseObject({
  type: z.enum(["input_text", "input_image", "input_file", "input_audio", "output_text", "refusal"]),
});

const message = z.looseObject({
  type: z.literal("message"),
  role: z.enum(["user", "assistant", "system", "developer"]),
  content: z.union([z.string(), z.array(contentPart)]),
  ...id,
});

const outputContent = z.union([z.string(), z.array(z.looseObject({ type: z.enum(["input_text", "input_image", "input_file"]) }))]);

const functionCall = z.looseObject({
  type: z.literal("function_call"),
  call_id: z.string(),
  name: z.string(),
  arguments: z.string(),
  ...id,
});

const functionCallOutput = z.looseObject({ type: z.literal("function_call_output"), call_id: z.string(), output: outputContent, ...id });

const customToolCall = z.looseObject({
  type: z.literal("custom_tool_call"),
  call_id: z.string(),
  name: z.string(),
  input: z.string(),
  ...id,
});

const customToolCallOutput = z.looseObject({
  type: z.literal("custom_tool_call_output"),
  call_id: z.string(),
  output: outputContent,
  ...id,
});

// A missing summary is a rule of its own (S2), not a matter of shape.
const reasoning = z.looseObject({
  type: z.literal("reasoning"),
  summary: z.array(z.looseObject({ type: z.literal("summary_text"), text: z.string() })).optional(),
  encrypted_content: z.string().nullish(),
  ...id,
});

/** Calls of tools that run at the provider, or whose outputs no rule covers: a reasoning item may come with them. */
const hostedCall = z.looseObject({
  type: z.enum([
    "file_search_call",
    "web_search_call",
    "image_generation_call",
    "code_interpreter_call",
    "computer_call",
    "local_shell_call",
    "shell_call",
    "apply_patch_call",
    "tool_search_call",
    "mcp_list_tools",
    "mcp_approval_request",
    "mcp_call",
    "program",
  ]),
  ...id,
});

const other = z.looseObject({
  type: z.enum([
    "item_reference",
    "computer_call_output",
    "local_shell_call_output",
    "shell_call_output",
    "apply_patch_call_output",
    "tool_search_output",
    "mcp_approval_response",
    "program_output",
    "additional_tools",
    "compaction",
    "compaction_trigger",
  ]),
  ...id,
});

const item = z.discriminatedUnion("type", [
  message,
  functionCall,
  functionCallOutput,
  customToolCall,
  customToolCallOutput,
  reasoning,
  hostedCall,
  other,
]);

// A message may leave out its type: its role identifies it.
const inputItem = z.preprocess((found) => {
  const bare = typeof found === "object" && found !== null && "role" in found && !("type" in found);
  return bare ? { ...found, type: "message" } : found;
}, item);

const request = z.looseObject({
  model: z.string(),
  input: z.union([z.string(), z.array(inputItem)]),
  previous_response_id: z.string().nullish(),
  store: z.boolean().nullish(),
  tools: z.array(z.looseObject({ type: z.string(), name: z.string().optional() })).optional(),
});

export type ResponsesRequest = z.infer<typeof request>;
export type ResponsesItem = z.infer<typeof item>;

export function parseResponsesRequest(body: unknown): Parsed<ResponsesRequest> {
  return parseShape(request, body, describeShapeIssue);
}

export function itemsOf(request: ResponsesRequest): ResponsesItem[] {
  return typeof request.input === "string" ? [] : request.input;
}

/** Whether the model produced it, so that reasoning can belong to it. */
export function isModelItem(item: ResponsesItem | undefined): boolean {
  if (item === undefined) return false;
  if (item.type === "message") return item.role === "assistant";
  if (item.type === "function_call" || item.type === "custom_tool_call" || item.type === "item_reference") return true;
  return hostedCall.safeParse(item).success;
}
