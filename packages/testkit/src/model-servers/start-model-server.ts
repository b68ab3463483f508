import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Violation } from "../provider-rules/violation.ts";
import { createAnthropicApi } from "./anthropic/anthropic-api.ts";
import { countTokens, countUsage } from "./count-tokens.ts";
import { createGeminiApi } from "./gemini/gemini-api.ts";
import type { HttpCall, ModelApi, ModelCall, Turn } from "./model-api.ts";
import { createChatApi } from "./openai-chat/chat-api.ts";
import { createResponsesApi } from "./openai-responses/responses-api.ts";
import type { RecordedRequest, RequestEnd } from "./recorded-request.ts";
import { type ErrorReply, nextReply, type Reply, type Script } from "./reply.ts";
import { RequestLog } from "./request-log.ts";
import { type Body, sendBody } from "./send-body.ts";

export type ApiName = "anthropic" | "openai-chat" | "openai-responses" | "gemini";

export interface ModelServerOptions {
  api: ApiName;
  script: Script;
  /** The only models; any model if left out. */
  models?: readonly string[];
  /** The only accepted key; `test-key` if left out. */
  apiKey?: string;
  /** In tokens of four characters; a longer request is rejected as by the provider. */
  contextWindow?: number;
  /** Chat Completions as of Mistral (M1). */
  mistral?: boolean;
}

export interface ModelServer extends AsyncDisposable {
  /** The base URL as the provider's SDK takes it. */
  url: string;
  apiKey: string;
  /** Generation requests in order of arrival, including refused ones. */
  requests: readonly RecordedRequest[];
  /** Every other request: token counts, model lists, unknown endpoints. */
  otherRequests: readonly RecordedRequest[];
  /** Every rule that was broken, in order. */
  violations: readonly Violation[];
  /** The nth generation request, from 0, as soon as it arrives. */
  waitForRequest(n: number): Promise<RecordedRequest>;
  close(): Promise<void>;
}

/** Starts a provider on a free port of 127.0.0.1 that answers by the script, and refuses what the real provider refuses. */
export async function startModelServer(options: ModelServerOptions): Promise<ModelServer> {
  const { apiKey = "test-key" } = options;
  const api = createApi(options);
  const log = new RequestLog();
  const server = createServer((request, response) => {
    serve({ api, log, options: { ...options, apiKey }, request, response }).catch((error: unknown) => {
      response.destroy(error instanceof Error ? error : undefined);
      log.fail(error);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeAllConnections();
    await closed;
    log.close();
  };
  return {
    url: `http://127.0.0.1:${port}${api.basePath}`,
    apiKey,
    requests: log.requests,
    otherRequests: log.otherRequests,
    violations: log.violations,
    waitForRequest: (n) => log.waitForRequest(n),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function createApi({ api, mistral = false }: ModelServerOptions): ModelApi {
  switch (api) {
    case "anthropic":
      return createAnthropicApi();
    case "openai-chat":
      return createChatApi({ mistral });
    case "openai-responses":
      return createResponsesApi();
    case "gemini":
      return createGeminiApi();
  }
}

interface Exchange {
  api: ModelApi;
  log: RequestLog;
  options: ModelServerOptions & { apiKey: string };
  request: IncomingMessage;
  response: ServerResponse;
}

async function serve({ api, log, options, request, response }: Exchange): Promise<void> {
  const receivedAt = Date.now();
  const left = leftSignal(response);
  const url = new URL(request.url ?? "/", "http://localhost");
  const http: HttpCall = { method: request.method ?? "GET", path: url.pathname, query: url.searchParams, headers: request.headers };
  const body = await readBody(request);
  const route = api.route(http);
  const model = ("model" in route ? route.model : undefined) ?? modelOf(body);
  const call: ModelCall = { ...http, body, model };
  const { promise: ended, resolve: end } = Promise.withResolvers<RequestEnd>();
  const recorded: RecordedRequest = { ...call, receivedAt, violations: [], ended };
  log.add(recorded, { generates: route.kind === "generate" });

  const answer = async (sent: Body, reply: Reply = {}, refused = false) => {
    const how = await sendBody(response, sent, { reply, left });
    end(how === "answered" && refused ? "refused" : how);
  };
  const fail = (error: ErrorReply) => answer(errorBody(api, error), {}, true);

  if (route.kind === "unknown") return fail({ status: 404 });
  const unauthorized = api.authorize(http, options.apiKey);
  if (unauthorized !== undefined) return fail(unauthorized);
  if (route.kind === "list-models") return answer(jsonBody(api.listModels(options.models ?? [])));
  if (options.models !== undefined && !options.models.includes(model)) return fail(api.unknownModel(model));
  if (route.kind === "count-tokens") return answer(jsonBody(api.countTokens(countTokens(body))));

  recorded.violations = api.check(call);
  log.violations.push(...recorded.violations);
  const [violation] = recorded.violations;
  if (violation !== undefined) return fail(api.refuse(violation));
  const reply = await replyTo({ api, options, log, recorded, call });
  const turn: Turn = { call, reply, usage: countUsage(body, reply) };
  return answer(replyBody(api, turn), reply);
}

async function replyTo(turn: Pick<Exchange, "api" | "options" | "log"> & { recorded: RecordedRequest; call: ModelCall }): Promise<Reply> {
  const { api, options, log, recorded, call } = turn;
  const tokens = countTokens(call.body);
  const { contextWindow } = options;
  if (contextWindow !== undefined && tokens > contextWindow) return { error: api.tooLong({ tokens, contextWindow, call }) };
  return nextReply(options.script, recorded, log.takeStep());
}

function replyBody(api: ModelApi, turn: Turn): Body {
  const { reply, call } = turn;
  const streams = api.wantsStream(call);
  if (reply.error !== undefined && !(reply.error.midStream && streams)) return errorBody(api, reply.error);
  const silent = [reply.text, reply.refusal, reply.reasoning, reply.toolCalls].every((content) => content === undefined);
  if (reply.hang && silent) return { status: 200, headers: {}, chunks: [] };
  const answer = api.answer(turn);
  const { events, closing } = answer;
  if (!streams) return jsonBody(answer.json);
  const ending = reply.error === undefined ? closing : api.errorEvents(reply.error, { turn, answer });
  const headers = { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" };
  return { status: 200, headers, chunks: reply.hang ? events : [...events, ...ending] };
}

function errorBody(api: ModelApi, error: ErrorReply): Body {
  const { status, headers, body } = api.error(error);
  return { status, headers: { "content-type": "application/json", ...headers, ...error.headers }, chunks: [JSON.stringify(body)] };
}

function jsonBody(body: unknown): Body {
  return { status: 200, headers: { "content-type": "application/json" }, chunks: [JSON.stringify(body)] };
}

function leftSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.on("close", () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString("utf8");
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function modelOf(body: unknown): string {
  const model = typeof body === "object" && body !== null && "model" in body ? body.model : undefined;
  return typeof model === "string" ? model : "";
}
