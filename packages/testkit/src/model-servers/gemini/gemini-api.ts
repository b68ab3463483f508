import { checkGeminiRequest } from "../../provider-rules/check-gemini-request.ts";
import type { GeminiPart } from "../../provider-rules/gemini/request.ts";
import { requiresThoughtSignatures } from "../../provider-rules/gemini/thought-signatures.ts";
import type { Answer, HttpCall, ModelApi, Route, Turn } from "../model-api.ts";
import { createOpaqueIds, type OpaqueIds } from "../opaque-id.ts";
import { argumentsObject, textPieces } from "../pieces.ts";
import type { ErrorReply, Reply } from "../reply.ts";
import { geminiError, geminiErrorBody } from "./gemini-error.ts";
import { IssuedSignatures } from "./issued-signatures.ts";

/** The Gemini API. */
export function createGeminiApi(): ModelApi {
  const ids = createOpaqueIds();
  const issued = new IssuedSignatures();
  return {
    basePath: "",
    route,
    wantsStream: ({ path }) => path.endsWith(":streamGenerateContent"),
    authorize,
    check: ({ body, model }) => {
      const violations = checkGeminiRequest(body, model);
      return violations.length > 0 ? violations : issued.check(body, model);
    },
    refuse: ({ message }) => ({ status: 400, message }),
    tooLong: ({ tokens, contextWindow }) => ({
      status: 400,
      message: `The input token count (${tokens}) exceeds the maximum number of tokens allowed (${contextWindow}).`,
    }),
    unknownModel: (model) => ({
      status: 404,
      message: `models/${model} is not found for API version v1beta, or is not supported for generateContent. Call ListModels to see the list of available models and their supported methods.`,
    }),
    error: geminiError,
    // An error inside a stream is bare JSON, not an event of it.
    errorEvents: (error) => [`${JSON.stringify(geminiErrorBody(error))}\n`],
    answer: (turn) => answer(turn, { ids, issued }),
    countTokens: (tokens) => ({ totalTokens: tokens, promptTokensDetails: [{ modality: "TEXT", tokenCount: tokens }] }),
    listModels: (models) => ({
      models: models.map((name) => ({
        name: `models/${name}`,
        displayName: name,
        supportedGenerationMethods: ["generateContent", "countTokens"],
      })),
    }),
  };
}

function route({ method, path }: HttpCall): Route {
  const [, model, action] = /^\/v1(?:beta|alpha)?\/models\/([^:/]+):(\w+)$/.exec(path) ?? [];
  if (method === "POST" && model !== undefined) {
    if (action === "generateContent" || action === "streamGenerateContent") return { kind: "generate", model };
    if (action === "countTokens") return { kind: "count-tokens", model };
  }
  if (method === "GET" && /^\/v1(?:beta|alpha)?\/models$/.test(path)) return { kind: "list-models" };
  return { kind: "unknown" };
}

function authorize({ headers, query }: HttpCall, apiKey: string): ErrorReply | undefined {
  const key = headers["x-goog-api-key"] ?? query.get("key") ?? undefined;
  if (key === apiKey || headers.authorization === `Bearer ${apiKey}`) return undefined;
  if (key !== undefined) return { status: 400, message: "API key not valid. Please pass a valid API key.", code: "API_KEY_INVALID" };
  if (headers.authorization !== undefined) return { status: 401 };
  const message =
    "Method doesn't allow unregistered callers (callers without established identity). Please use API Key or other form of API consumer identity to call this API.";
  return { status: 403, message };
}

function frame(data: unknown): string {
  return `data: ${JSON.stringify(data)}\r\n\r\n`;
}

function answer(turn: Turn, { ids, issued }: { ids: OpaqueIds; issued: IssuedSignatures }): Answer {
  const { call, reply, usage } = turn;
  const { parts, last } = toParts(turn, ids);
  issued.record({ model: call.model, parts: [...parts, last] });
  const said = usage.outputTokens - usage.reasoningTokens;
  const usageMetadata = {
    promptTokenCount: usage.inputTokens,
    candidatesTokenCount: said,
    totalTokenCount: usage.inputTokens + usage.outputTokens,
    promptTokensDetails: [{ modality: "TEXT", tokenCount: usage.inputTokens }],
    ...(usage.cachedInputTokens > 0 && { cachedContentTokenCount: usage.cachedInputTokens }),
    ...(usage.reasoningTokens > 0 && { thoughtsTokenCount: usage.reasoningTokens }),
  };
  const head = { modelVersion: call.model, responseId: ids.id("") };
  const finishReason = reply.stopReason ?? (reply.refusal === undefined ? "STOP" : "SAFETY");
  const chunk = (content: GeminiPart[], finish?: string) => ({
    candidates: [{ content: { parts: content, role: "model" }, ...(finish !== undefined && { finishReason: finish }), index: 0 }],
    usageMetadata,
    ...head,
  });
  return {
    events: parts.map((part) => frame(chunk([part]))),
    closing: [frame(chunk([last], finishReason))],
    json: chunk(last.thoughtSignature === undefined ? joinText(parts) : [...joinText(parts), last], finishReason),
  };
}

/** The parts, each in its own chunk, and the empty text of the last chunk, which is signed if there is no call to sign. */
function toParts({ reply, call }: Turn, ids: OpaqueIds): { parts: GeminiPart[]; last: GeminiPart } {
  const signs = requiresThoughtSignatures(call.model) || reply.reasoning !== undefined;
  const calls = toCalls(reply, ids);
  const signature = signs ? { thoughtSignature: ids.blob(call.model) } : {};
  const [first, ...others] = calls;
  return {
    parts: [
      ...textPieces(reply.reasoning).map((text) => ({ text, thought: true })),
      ...textPieces(reply.text ?? reply.refusal).map((text) => ({ text })),
      ...(first === undefined ? [] : [{ ...first, ...signature }, ...others]),
    ],
    last: { text: "", ...(first === undefined ? signature : {}) },
  };
}

function toCalls({ toolCalls = [] }: Reply, ids: OpaqueIds): GeminiPart[] {
  return toolCalls.map((call) => {
    const args = argumentsObject(call.arguments) as Record<string, unknown>;
    return { functionCall: { id: call.id ?? ids.id(""), name: call.name, args } };
  });
}

function joinText(parts: GeminiPart[]): GeminiPart[] {
  const joined: GeminiPart[] = [];
  for (const part of parts) {
    const previous = joined.at(-1);
    const continues = previous?.text !== undefined && part.text !== undefined && previous.thought === part.thought;
    if (continues) joined[joined.length - 1] = { ...previous, text: `${previous.text}${part.text}` };
    else joined.push(part);
  }
  return joined;
}
