import { checkOpenAIResponsesRequest } from "../../provider-rules/check-openai-responses-request.ts";
import type { Answer, HttpCall, ModelApi, ModelCall, Route, Turn } from "../model-api.ts";
import { createOpaqueIds, type OpaqueIds } from "../opaque-id.ts";
import { incorrectKey, listOpenAIModels, modelNotFound, openaiError, openaiErrorObject } from "../openai-error.ts";
import type { ErrorReply } from "../reply.ts";
import { IssuedItems } from "./issued-items.ts";
import { itemEvents, type Unnumbered } from "./item-events.ts";
import { toItems } from "./output-items.ts";
import { responseObject } from "./response-object.ts";

/** The Responses API. */
export function createResponsesApi(): ModelApi {
  const ids = createOpaqueIds();
  const issued = new IssuedItems();
  const wantsStream = ({ body }: ModelCall) => field(body, "stream") === true;
  return {
    basePath: "/v1",
    route,
    wantsStream,
    authorize: ({ headers }, apiKey) => (headers.authorization === `Bearer ${apiKey}` ? undefined : incorrectKey(headers.authorization)),
    check: ({ body }) => {
      const resolved = issued.resolve(body);
      const violations = checkOpenAIResponsesRequest(resolved);
      return violations.length > 0 ? violations : issued.check(resolved);
    },
    refuse: ({ message, path, code }) => ({ status: 400, message, param: path, code: code ?? null }),
    tooLong: ({ call }) => ({
      status: 400,
      message: "Your input exceeds the context window of this model. Please adjust your input and try again.",
      param: "input",
      code: "context_length_exceeded",
      // A stream has begun before the input is counted.
      ...(wantsStream(call) && { midStream: true }),
    }),
    unknownModel: modelNotFound,
    error: (error) => openaiError(error, ids.id("req_")),
    errorEvents: failedEvents,
    answer: (turn) => answer(turn, { ids, issued }),
    countTokens: (tokens) => ({ object: "response.input_tokens", input_tokens: tokens }),
    listModels: listOpenAIModels,
  };
}

function route({ method, path }: HttpCall): Route {
  if (method === "POST" && path === "/v1/responses") return { kind: "generate" };
  if (method === "POST" && path === "/v1/responses/input_tokens") return { kind: "count-tokens" };
  if (method === "GET" && path === "/v1/models") return { kind: "list-models" };
  return { kind: "unknown" };
}

function field(body: unknown, name: string): unknown {
  return typeof body === "object" && body !== null ? Reflect.get(body, name) : undefined;
}

function numbered(events: Unnumbered[], first = 0): string[] {
  return events.map(({ type, ...rest }, index) => {
    const data = { type, sequence_number: first + index, ...rest };
    return `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
  });
}

function failedEvents(error: ErrorReply, { turn, answer }: { turn: Turn; answer: Answer }): string[] {
  const { code, type, message } = openaiErrorObject(error);
  const id = String(field(answer.json, "id"));
  const response = { ...responseObject(turn, { id, status: "failed", output: [] }), error: { code: code ?? type, message } };
  return numbered([{ type: "response.failed", response }], answer.events.length);
}

function answer(turn: Turn, { ids, issued }: { ids: OpaqueIds; issued: IssuedItems }): Answer {
  const { call, reply } = turn;
  const streamed = toItems(turn, ids);
  const output = streamed.map(({ item }) => item);
  const id = ids.id("resp_");
  issued.record({ responseId: id, model: call.model, stored: field(call.body, "store") !== false, items: output });
  const status = statusOf(reply.stopReason);
  const finished = responseObject(turn, { id, status, output });
  const opened = responseObject(turn, { id, status: "in_progress", output: [] });
  const events = [
    { type: "response.created", response: opened },
    { type: "response.in_progress", response: opened },
    ...streamed.flatMap((item, index) => itemEvents(item, index)),
  ];
  return {
    events: numbered(events),
    closing: numbered([{ type: `response.${status}`, response: finished }], events.length),
    json: finished,
  };
}

function statusOf(stopReason: string | undefined): "completed" | "incomplete" {
  return stopReason === undefined || stopReason === "completed" ? "completed" : "incomplete";
}
