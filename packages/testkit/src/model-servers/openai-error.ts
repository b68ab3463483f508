import type { HttpError } from "./model-api.ts";
import type { ErrorReply } from "./reply.ts";

interface Usual {
  type: string;
  code: string | null;
  message: string;
}

const BAD: Usual = { type: "invalid_request_error", code: null, message: "Invalid request." };
const SERVER: Usual = {
  type: "server_error",
  code: null,
  message: "The server had an error while processing your request. Sorry about that!",
};

const DEFAULTS: Record<number, Usual> = {
  400: BAD,
  401: { ...BAD, code: "invalid_api_key", message: "Incorrect API key provided." },
  403: { ...BAD, code: "unsupported_country_region_territory", message: "Country, region, or territory not supported" },
  404: { ...BAD, code: "unknown_url", message: "Invalid URL" },
  429: { type: "requests", code: "rate_limit_exceeded", message: "Rate limit reached for requests. Please try again later." },
  500: SERVER,
  503: { type: "server_error", code: "server_is_overloaded", message: "Our servers are currently overloaded. Please try again later." },
};

/** `error` as in a response body, with the defaults of the reply filled in. */
export function openaiErrorObject(error: ErrorReply): { message: string; type: string; param: string | null; code: string | null } {
  const usual = DEFAULTS[error.status] ?? SERVER;
  return {
    message: error.message ?? usual.message,
    type: error.type ?? usual.type,
    param: error.param ?? null,
    code: error.code === undefined ? (error.message === undefined ? usual.code : codeOf(error.status, usual)) : error.code,
  };
}

// A 400 with its own message has no code unless it is given one; a rate limit or a bad key keeps its own.
function codeOf(status: number, usual: Usual): string | null {
  return status === 400 ? null : usual.code;
}

export function openaiError(error: ErrorReply, requestId: string): HttpError {
  const headers: Record<string, string> = { "x-request-id": requestId };
  if (error.retryAfterSec !== undefined) {
    headers["retry-after"] = String(error.retryAfterSec);
    headers["retry-after-ms"] = String(error.retryAfterSec * 1000);
  }
  if (error.status === 429) headers["x-ratelimit-remaining-requests"] = "0";
  return { status: error.status, headers, body: { error: openaiErrorObject(error) } };
}

export function incorrectKey(header: string | undefined): ErrorReply {
  if (header === undefined) {
    const message = "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth.";
    return { status: 401, message, code: null };
  }
  const key = header.replace(/^Bearer /, "");
  const shown = `${key.slice(0, 4)}****${key.slice(-4)}`;
  const message = `Incorrect API key provided: ${shown}. You can find your API key at https://platform.openai.com/account/api-keys.`;
  return { status: 401, message };
}

export function modelNotFound(model: string): ErrorReply {
  return { status: 404, message: `The model \`${model}\` does not exist or you do not have access to it.`, code: "model_not_found" };
}

export function listOpenAIModels(models: readonly string[]): unknown {
  return { object: "list", data: models.map((id) => ({ id, object: "model", created: 1_767_225_600, owned_by: "system" })) };
}
