import type { FunctionDeclaration, GenerateContentConfig, GenerateContentParameters } from "@google/genai";
import type { ImagePart, MessageBody, ReasoningEffort } from "@skein/contracts";
import type { ToolDefinition } from "@skein/engine";
import { geminiIds, geminiNames, IdMap, NameMap, toConversation, toGeminiContents } from "@skein/engine/formats";
import { fitImages, type ImageLimits } from "../images/fit-images.ts";
import { uniqueTools } from "../schemas/unique-tools.ts";
import { geminiGeneration } from "./gemini-generation.ts";
import { toThinkingConfig } from "./thinking-config.ts";
import { toGeminiSchema } from "./to-gemini-schema.ts";

export interface GeminiRequestInput {
  messages: readonly MessageBody[];
  tools: readonly ToolDefinition[];
  model: string;
  /** `gemini/…`: the model whose thought signatures are sent back. */
  modelId: string;
  maxTokens?: number | undefined;
  effort?: ReasoningEffort | undefined;
}

export interface GeminiRequest {
  params: GenerateContentParameters & { contents: ReturnType<typeof toGeminiContents>; config: GenerateContentConfig };
  names: NameMap;
}

const megabyte = 1024 * 1024;
const mediaTypes: readonly ImagePart["mediaType"][] = ["image/png", "image/jpeg", "image/webp"];

/** A request with inline images is limited to 20 MB. */
const imageLimits: ImageLimits = {
  mediaTypes,
  maximumCount: 1000,
  maximumLength: 15 * megabyte,
  maximumTotal: 15 * megabyte,
  maximumPixels: 16_000,
};

export function toGeminiRequest(input: GeminiRequestInput): GeminiRequest {
  const messages = fitImages(input.messages, imageLimits);
  const conversation = toConversation(messages, {
    keepsReasoning: (part) => part.model === input.modelId && (part.signature ?? "") !== "",
  });
  const tools = uniqueTools(input.tools);
  const names = new NameMap(geminiNames, tools);
  const generation = geminiGeneration(input.model);
  const contents = toGeminiContents(conversation.turns, {
    ids: new IdMap(geminiIds),
    names,
    modelId: input.modelId,
    signsCalls: generation.signsCalls,
  });
  return {
    names,
    params: {
      model: input.model,
      contents,
      config: {
        ...(conversation.system === "" ? {} : { systemInstruction: conversation.system }),
        ...(tools.length === 0 ? {} : { tools: [{ functionDeclarations: tools.map((tool) => toDeclaration(tool, names)) }] }),
        ...(input.maxTokens === undefined ? {} : { maxOutputTokens: input.maxTokens }),
        ...(generation.thinks ? { thinkingConfig: toThinkingConfig(input.effort, generation) } : {}),
      },
    },
  };
}

function toDeclaration({ name, description, inputSchema }: ToolDefinition, names: NameMap): FunctionDeclaration {
  const schema = toGeminiSchema(inputSchema);
  return {
    name: names.map(name),
    description: description.toWellFormed(),
    ...(Object.keys(schema.properties).length === 0 ? {} : { parametersJsonSchema: schema }),
  };
}
