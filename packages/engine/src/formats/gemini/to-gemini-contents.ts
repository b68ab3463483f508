import type { ImagePart, TextPart } from "@skein/contracts";
import type { AssistantTurn, Conversation, ToolStep } from "../conversation/conversation.ts";
import { asText, readCallData } from "../conversation/reasoning.ts";
import { toArgumentsObject } from "../conversation/tool-arguments.ts";
import { splitResult } from "../conversation/tool-results.ts";
import type { IdMap } from "../identifiers/id-map.ts";
import type { NameMap } from "../identifiers/name-map.ts";
import type { GeminiContent, GeminiPart } from "./gemini-content.ts";

export interface GeminiContentOptions {
  ids: IdMap;
  names: NameMap;
  modelId: string;
  /** Whether the model rejects a step whose first call has no thought signature (G4), and accepts images inside function responses. */
  signsCalls: boolean;
}

/** Google's documented placeholder for calls of other models, or from before there were signatures. */
export const unsignedCall = "skip_thought_signature_validator";

/** Function responses are a content of their own; user text after them is the next content (G1). */
export function toGeminiContents(turns: Conversation["turns"], options: GeminiContentOptions): GeminiContent[] {
  return turns.flatMap((turn): GeminiContent[] => {
    if (turn.role === "user") return [{ role: "user", parts: turn.parts.map(toPart) }];
    const model: GeminiContent = { role: "model", parts: toModelParts(turn, options) };
    return turn.steps.length === 0 ? [model] : [model, { role: "user", parts: toResponseParts(turn.steps, options) }];
  });
}

function toPart(part: TextPart | ImagePart): GeminiPart {
  return part.type === "text" ? { text: part.text } : { inlineData: { mimeType: part.mediaType, data: part.data } };
}

/** Thoughts themselves are not sent: their signature is attached to the text after them. */
function toModelParts({ parts, steps }: AssistantTurn, options: GeminiContentOptions): GeminiPart[] {
  let signature: string | undefined;
  const said = parts.flatMap((part): GeminiPart[] => {
    if (part.type === "reasoning") {
      signature = asText(part.signature);
      return [];
    }
    const signed = signature === undefined ? {} : { thoughtSignature: signature };
    signature = undefined;
    return [{ text: part.text, ...signed }];
  });
  return [...said, ...steps.map((step, position) => toCallPart(step, position === 0, options))];
}

function toCallPart({ call }: ToolStep, isFirst: boolean, { ids, names, modelId, signsCalls }: GeminiContentOptions): GeminiPart {
  const own = asText(readCallData(call.providerData, modelId).thoughtSignature);
  const signature = own ?? (isFirst && signsCalls ? unsignedCall : undefined);
  const args: Record<string, unknown> = toArgumentsObject(call.function.arguments);
  return {
    functionCall: { id: ids.map(call.id), name: names.map(call.function.name), args },
    ...(signature === undefined ? {} : { thoughtSignature: signature }),
  };
}

function toResponseParts(steps: readonly ToolStep[], options: GeminiContentOptions): GeminiPart[] {
  const separate: GeminiPart[] = [];
  const responses = steps.map((step): GeminiPart => {
    const { text, images } = splitResult(step.result);
    const nests = options.signsCalls && images.length > 0;
    if (!nests) separate.push(...images.map(toPart));
    return {
      functionResponse: {
        id: options.ids.map(step.call.id),
        name: options.names.map(step.call.function.name),
        response: step.result.isError === true ? { error: text } : { output: text },
        ...(nests ? { parts: images.map(({ mediaType, data }) => ({ inlineData: { mimeType: mediaType, data } })) } : {}),
      },
    };
  });
  return [...responses, ...separate];
}
