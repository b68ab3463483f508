import { checkAnthropicRequest } from "../../provider-rules/check-anthropic-request.ts";
import type { Violation } from "../../provider-rules/violation.ts";
import type { Answer, HttpCall, ModelApi, ModelCall, Route, Turn } from "../model-api.ts";
import { createOpaqueIds, type OpaqueIds } from "../opaque-id.ts";
import type { ErrorReply } from "../reply.ts";
import { anthropicError, anthropicErrorBody } from "./anthropic-errors.ts";
import { anthropicEvent, blockEvents, toBlocks } from "./anthropic-events.ts";
import { IssuedThinking } from "./issued-thinking.ts";

/** The Messages API. */
export function createAnthropicApi(): ModelApi {
  const ids = createOpaqueIds();
  const issued = new IssuedThinking();
  return {
    basePath: "",
    route,
    wantsStream: ({ body }) => typeof body === "object" && body !== null && "stream" in body && body.stream === true,
    authorize,
    check: (call) => check(call, issued),
    refuse: ({ message, code }) => (code === "request_too_large" ? { status: 413, message } : { status: 400, message }),
    tooLong: ({ tokens, contextWindow }) => ({
      status: 400,
      message: `prompt is too long: ${tokens} tokens > ${contextWindow} maximum`,
    }),
    unknownModel: (model) => ({ status: 404, message: `model: ${model}` }),
    error: (error) => anthropicError(error, ids.id("req_01")),
    errorEvents: (error) => [anthropicEvent(anthropicErrorBody(error, ids.id("req_01")) as { type: string })],
    answer: (turn) => answer(turn, { ids, issued }),
    countTokens: (tokens) => ({ input_tokens: tokens }),
    listModels: (models) => ({
      data: models.map((id) => ({ type: "model", id, display_name: id, created_at: "2026-01-01T00:00:00Z" })),
      has_more: false,
      first_id: models[0] ?? null,
      last_id: models.at(-1) ?? null,
    }),
  };
}

function route({ method, path }: HttpCall): Route {
  if (method === "POST" && path === "/v1/messages") return { kind: "generate" };
  if (method === "POST" && path === "/v1/messages/count_tokens") return { kind: "count-tokens" };
  if (method === "GET" && path === "/v1/models") return { kind: "list-models" };
  return { kind: "unknown" };
}

function authorize({ headers }: HttpCall, apiKey: string): ErrorReply | undefined {
  if (headers["x-api-key"] === apiKey || headers.authorization === `Bearer ${apiKey}`) return undefined;
  if (headers["x-api-key"] === undefined && headers.authorization !== undefined) return { status: 401, message: "Invalid bearer token" };
  return { status: 401, message: headers["x-api-key"] === undefined ? "x-api-key header is required" : "invalid x-api-key" };
}

function check({ body, headers }: ModelCall, issued: IssuedThinking): Violation[] {
  if (headers["anthropic-version"] === undefined) {
    return [{ rule: "shape", path: "", message: "anthropic-version: header is required" }];
  }
  const violations = checkAnthropicRequest(body, { systemMessages: headers["anthropic-beta"] !== undefined });
  return violations.length > 0 ? violations : issued.check(body);
}

function answer(turn: Turn, { ids, issued }: { ids: OpaqueIds; issued: IssuedThinking }): Answer {
  const { call, reply, usage } = turn;
  const blocks = toBlocks(turn, ids);
  const content = blocks.map(({ block }) => block);
  issued.record({ model: call.model, content });
  const inputUsage = {
    input_tokens: usage.inputTokens - usage.cachedInputTokens - usage.cacheWriteTokens,
    cache_creation_input_tokens: usage.cacheWriteTokens,
    cache_read_input_tokens: usage.cachedInputTokens,
  };
  const detail = {
    cache_creation: { ephemeral_5m_input_tokens: usage.cacheWriteTokens, ephemeral_1h_input_tokens: 0 },
    service_tier: "standard",
  };
  const stop = { stop_reason: reply.stopReason ?? stopReason(turn), stop_sequence: null };
  const message = { id: ids.id("msg_01"), type: "message", role: "assistant", model: call.model };
  const opened = {
    ...message,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { ...inputUsage, ...detail, output_tokens: 1 },
  };
  const start = { type: "message_start", message: opened };
  const delta = { type: "message_delta", delta: stop, usage: { ...inputUsage, output_tokens: usage.outputTokens } };
  return {
    events: [anthropicEvent(start), ...blockEvents(blocks)],
    closing: [anthropicEvent(delta), anthropicEvent({ type: "message_stop" })],
    json: { ...message, content, ...stop, usage: { ...inputUsage, ...detail, output_tokens: usage.outputTokens } },
  };
}

function stopReason({ reply }: Turn): string {
  if (reply.refusal !== undefined) return "refusal";
  return (reply.toolCalls ?? []).length > 0 ? "tool_use" : "end_turn";
}
