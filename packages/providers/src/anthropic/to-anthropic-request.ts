import type { MessageCreateParamsStreaming, TextBlockParam, Tool } from "@anthropic-ai/sdk/resources/messages";
import type { MessageBody, ReasoningEffort } from "@skein/contracts";
import { ModelError, type ToolDefinition } from "@skein/engine";
import {
  anthropicIds,
  anthropicNames,
  IdMap,
  isReplayableThinking,
  NameMap,
  toAnthropicMessages,
  toConversation,
} from "@skein/engine/formats";
import { dropOldest, fitImages, type ImageLimits, listImages } from "../images/fit-images.ts";
import { openSchema, toObjectSchema } from "../schemas/to-object-schema.ts";
import { uniqueTools } from "../schemas/unique-tools.ts";
import { markCachePoints } from "./cache-points.ts";
import { startsLoopWithThinking } from "./thinking.ts";

export interface AnthropicRequestInput {
  messages: readonly MessageBody[];
  tools: readonly ToolDefinition[];
  /** `claude-…`, without the provider. */
  model: string;
  /** `anthropic/claude-…`: the model whose reasoning is sent back. */
  modelId: string;
  maxTokens: number;
  thinking?: AnthropicThinking | undefined;
  /** Sent with adaptive thinking only: models with a thinking budget reject it. */
  effort?: ReasoningEffort | undefined;
}

export type AnthropicThinking = "adaptive" | { budgetTokens: number };

export interface AnthropicRequest {
  params: MessageCreateParamsStreaming;
  names: NameMap;
}

const maximumBytes = 32 * 1024 * 1024;
const megabyte = 1024 * 1024;

const imageLimits: ImageLimits = {
  mediaTypes: ["image/png", "image/jpeg", "image/gif", "image/webp"],
  maximumCount: 100,
  maximumLength: 5 * megabyte,
  maximumTotal: 30 * megabyte,
  maximumPixels: 8000,
  whenMany: { count: 20, maximumPixels: 2000 },
};

/** @throws ModelError `context-too-long` if the texts alone exceed the request limit. */
export function toAnthropicRequest(input: AnthropicRequestInput): AnthropicRequest {
  let messages = fitImages(input.messages, imageLimits);
  for (;;) {
    const request = build(input, messages);
    const excess = Buffer.byteLength(JSON.stringify(request.params)) - maximumBytes;
    if (excess <= 0) return request;
    const count = countImagesToFree(messages, excess);
    if (count === 0) {
      const text = `The conversation is too long for ${input.modelId}: its texts alone are more than the 32 MB that a request may hold.`;
      throw new ModelError("context-too-long", text, { part: "text" });
    }
    messages = dropOldest(messages, count);
  }
}

function countImagesToFree(messages: readonly MessageBody[], bytes: number): number {
  const images = messages.flatMap(listImages);
  let count = 0;
  for (let freed = 0; freed < bytes && count < images.length; count++) freed += images[count]?.data.length ?? 0;
  return count;
}

function build(input: AnthropicRequestInput, messages: readonly MessageBody[]): AnthropicRequest {
  const conversation = toConversation(messages, { keepsReasoning: (part) => isReplayableThinking(part, input.modelId) });
  const declared = uniqueTools(input.tools);
  const names = new NameMap(anthropicNames, declared);
  const called = conversation.turns.flatMap((turn) => (turn.role === "assistant" ? turn.steps.map(({ call }) => call.function.name) : []));
  const tools = declared.length > 0 ? declared.map((tool) => toTool(tool, names)) : toBareTools(called, names);
  const wire = toAnthropicMessages(conversation.turns, { ids: new IdMap(anthropicIds), names });
  const thinking = toThinking(input, startsLoopWithThinking(wire));
  const system: TextBlockParam[] = conversation.system === "" ? [] : [{ type: "text", text: conversation.system }];
  markCachePoints({ tools, system, messages: wire });
  return {
    names,
    params: {
      model: input.model,
      max_tokens: input.maxTokens,
      ...(system.length === 0 ? {} : { system }),
      messages: wire,
      ...(tools.length === 0 ? {} : { tools }),
      // Tools that appear only in the history are declared because of their calls (A7); they cannot be called.
      ...(tools.length > 0 && declared.length === 0 ? { tool_choice: { type: "none" as const } } : {}),
      ...(thinking === undefined ? {} : { thinking }),
      ...(thinking?.type === "adaptive" && input.effort !== undefined ? { output_config: { effort: input.effort } } : {}),
      stream: true,
    },
  };
}

function toTool({ name, description, inputSchema }: ToolDefinition, names: NameMap): Tool {
  const text = description.toWellFormed();
  return { name: names.map(name), ...(text.trim() === "" ? {} : { description: text }), input_schema: toObjectSchema(inputSchema) };
}

function toBareTools(called: readonly string[], names: NameMap): Tool[] {
  return [...new Set(called)].map((name) => ({ name: names.map(name), input_schema: { ...openSchema } }));
}

function toThinking(input: AnthropicRequestInput, startsWithThinking: boolean): MessageCreateParamsStreaming["thinking"] {
  if (input.thinking === undefined) return undefined;
  // Newer models return no reasoning unless a summary is requested.
  if (input.thinking === "adaptive") return { type: "adaptive", display: "summarized" };
  // With a thinking budget, a tool loop that another model started is rejected: it does not begin with a thinking block (A9).
  const budget = Math.min(input.thinking.budgetTokens, input.maxTokens - 1);
  return startsWithThinking && budget >= 1024 ? { type: "enabled", budget_tokens: budget } : undefined;
}
