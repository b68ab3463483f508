import type { HttpError } from "../model-api.ts";
import type { ErrorReply } from "../reply.ts";

const DEFAULTS: Record<number, { type: string; message: string }> = {
  400: { type: "invalid_request_error", message: "invalid request" },
  401: { type: "authentication_error", message: "invalid x-api-key" },
  403: { type: "permission_error", message: "Your API key does not have permission to use the specified resource." },
  404: { type: "not_found_error", message: "Not found" },
  413: { type: "request_too_large", message: "Request exceeds the maximum size" },
  429: { type: "rate_limit_error", message: "This request would exceed your account's rate limit. Please try again later." },
  500: { type: "api_error", message: "Internal server error" },
  504: { type: "timeout_error", message: "Request timed out" },
  529: { type: "overloaded_error", message: "Overloaded" },
};

export function anthropicErrorBody(error: ErrorReply, requestId: string): unknown {
  const usual = DEFAULTS[error.status] ?? { type: "api_error", message: "Internal server error" };
  return {
    type: "error",
    error: { type: error.type ?? usual.type, message: error.message ?? usual.message },
    request_id: requestId,
  };
}

export function anthropicError(error: ErrorReply, requestId: string): HttpError {
  const headers: Record<string, string> = { "request-id": requestId };
  if (error.retryAfterSec !== undefined) headers["retry-after"] = String(error.retryAfterSec);
  if (error.status === 429) headers["anthropic-ratelimit-requests-remaining"] = "0";
  return { status: error.status, headers, body: anthropicErrorBody(error, requestId) };
}
