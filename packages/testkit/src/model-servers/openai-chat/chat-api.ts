import { checkOpenAIChatRequest } from "../../provider-rules/check-openai-chat-request.ts";
import type { Answer, HttpCall, ModelApi, Route, Turn } from "../model-api.ts";
import { createOpaqueIds, type OpaqueIds } from "../opaque-id.ts";
import { incorrectKey, listOpenAIModels, modelNotFound, openaiError, openaiErrorObject } from "../openai-error.ts";
import type { ErrorReply } from "../reply.ts";
import { type IdentifiedCall, toChatUsage, toDeltas, toMessage } from "./chat-chunks.ts";

const CREATED = 1_767_225_600;

/** The Chat Completions API, as of OpenAI or of Mistral. */
export function createChatApi({ mistral }: { mistral: boolean }): ModelApi {
  const ids = createOpaqueIds();
  return {
    basePath: "/v1",
    route,
    wantsStream: ({ body }) => field(body, "stream") === true,
    authorize: ({ headers }, apiKey) => (headers.authorization === `Bearer ${apiKey}` ? undefined : incorrectKey(headers.authorization)),
    check: ({ body }) => checkOpenAIChatRequest(body, { mistral }),
    refuse: ({ message, path, code }) => ({ status: 400, message, param: path, code: code ?? null }),
    tooLong: ({ tokens, contextWindow }) => ({
      status: 400,
      message: `This model's maximum context length is ${contextWindow} tokens. However, your messages resulted in ${tokens} tokens. Please reduce the length of the messages.`,
      param: "messages",
      code: "context_length_exceeded",
    }),
    unknownModel: modelNotFound,
    error: (error) => (mistral ? mistralError(error, ids.id("")) : openaiError(error, ids.id("req_"))),
    errorEvents: (error) => [`data: ${JSON.stringify({ error: openaiErrorObject(error) })}\n\n`],
    answer: (turn) => answer(turn, { ids, mistral }),
    countTokens: (tokens) => ({ tokens }),
    listModels: listOpenAIModels,
  };
}

function route({ method, path }: HttpCall): Route {
  if (method === "POST" && path === "/v1/chat/completions") return { kind: "generate" };
  if (method === "GET" && path === "/v1/models") return { kind: "list-models" };
  return { kind: "unknown" };
}

function field(body: unknown, name: string): unknown {
  return typeof body === "object" && body !== null ? Reflect.get(body, name) : undefined;
}

const MISTRAL_TYPES: Record<string, string> = { "3230": "invalid_request_message_order", "3280": "invalid_function_call" };

function mistralError(error: ErrorReply, requestId: string) {
  const { headers } = openaiError(error, requestId);
  const { message, type, code } = openaiErrorObject(error);
  const body = { object: "error", message, type: MISTRAL_TYPES[code ?? ""] ?? type, param: null, code };
  return { status: error.status, headers, body };
}

function answer(turn: Turn, { ids, mistral }: { ids: OpaqueIds; mistral: boolean }): Answer {
  const { call, reply } = turn;
  const calls: IdentifiedCall[] = (reply.toolCalls ?? []).map((toolCall) => ({ ...toolCall, id: toolCall.id ?? newCallId(ids, mistral) }));
  const head = { id: ids.id("chatcmpl-"), created: CREATED, model: call.model, service_tier: "default", system_fingerprint: "fp_testkit" };
  const includeUsage = field(field(call.body, "stream_options"), "include_usage") === true;
  const frame = (choices: object[], usage: object | null = null) =>
    `data: ${JSON.stringify({ ...head, object: "chat.completion.chunk", choices, ...(includeUsage && { usage }) })}\n\n`;
  const choice = (delta: object, finish: string | null) => ({ index: 0, delta, logprobs: null, finish_reason: finish });
  const finish = reply.stopReason ?? (calls.length > 0 ? "tool_calls" : "stop");
  return {
    events: toDeltas(turn, calls).map((delta) => frame([choice(delta, null)])),
    closing: [frame([choice({}, finish)]), ...(includeUsage ? [frame([], toChatUsage(turn))] : []), "data: [DONE]\n\n"],
    json: {
      ...head,
      object: "chat.completion",
      choices: [{ index: 0, message: toMessage(turn, calls), logprobs: null, finish_reason: finish }],
      usage: toChatUsage(turn),
    },
  };
}

function newCallId(ids: OpaqueIds, mistral: boolean): string {
  return mistral ? ids.id("").slice(0, 9) : ids.id("call_");
}
