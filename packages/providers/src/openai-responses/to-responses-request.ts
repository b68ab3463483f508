import type { MessageBody, ReasoningEffort } from "@skein/contracts";
import type { ToolDefinition } from "@skein/engine";
import { IdMap, isReplayableItem, NameMap, openaiNames, responsesIds, toConversation, toResponsesItems } from "@skein/engine/formats";
import type { FunctionTool, ResponseCreateParamsStreaming } from "openai/resources/responses/responses";
import type { Reasoning } from "openai/resources/shared";
import { fitImages } from "../images/fit-images.ts";
import { openaiImageLimits } from "../images/openai-image-limits.ts";
import { toObjectSchema } from "../schemas/to-object-schema.ts";
import { uniqueTools } from "../schemas/unique-tools.ts";

export interface ResponsesRequestInput {
  messages: readonly MessageBody[];
  tools: readonly ToolDefinition[];
  model: string;
  /** `openai/…`: the model whose reasoning and item ids are sent back. */
  modelId: string;
  maxTokens?: number | undefined;
  /** Whether the model reasons; others reject the parameter. */
  reasons: boolean;
  effort?: ReasoningEffort | undefined;
}

export interface ResponsesRequest {
  params: ResponseCreateParamsStreaming;
  names: NameMap;
}

/** Nothing is stored at the provider (`store: false`): encrypted reasoning is part of the history instead. */
export function toOpenAIResponsesRequest(input: ResponsesRequestInput): ResponsesRequest {
  const messages = fitImages(input.messages, openaiImageLimits);
  const conversation = toConversation(messages, { keepsReasoning: (part) => isReplayableItem(part, input.modelId) });
  const tools = uniqueTools(input.tools);
  const names = new NameMap(openaiNames, tools);
  const items = toResponsesItems(conversation.turns, { ids: new IdMap(responsesIds), names, modelId: input.modelId });
  return {
    names,
    params: {
      model: input.model,
      ...(conversation.system === "" ? {} : { instructions: conversation.system }),
      input: items,
      ...(tools.length === 0 ? {} : { tools: tools.map((tool) => toTool(tool, names)) }),
      ...(input.maxTokens === undefined ? {} : { max_output_tokens: input.maxTokens }),
      ...(input.reasons ? { reasoning: toReasoning(input.effort), include: ["reasoning.encrypted_content" as const] } : {}),
      store: false,
      stream: true,
    },
  };
}

function toReasoning(effort: ReasoningEffort | undefined): Reasoning {
  return { summary: "auto", ...(effort === undefined ? {} : { effort }) };
}

function toTool({ name, description, inputSchema }: ToolDefinition, names: NameMap): FunctionTool {
  // Strict mode is the default and rejects most schemas of MCP tools.
  return {
    type: "function",
    name: names.map(name),
    description: description.toWellFormed(),
    parameters: toObjectSchema(inputSchema),
    strict: false,
  };
}
