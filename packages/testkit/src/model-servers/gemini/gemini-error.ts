import type { HttpError } from "../model-api.ts";
import type { ErrorReply } from "../reply.ts";

const DEFAULTS: Record<number, { type: string; message: string }> = {
  400: { type: "INVALID_ARGUMENT", message: "Request contains an invalid argument." },
  401: { type: "UNAUTHENTICATED", message: "Request had invalid authentication credentials." },
  403: { type: "PERMISSION_DENIED", message: "The caller does not have permission" },
  404: { type: "NOT_FOUND", message: "Requested entity was not found." },
  429: { type: "RESOURCE_EXHAUSTED", message: "You exceeded your current quota, please check your plan and billing details." },
  500: {
    type: "INTERNAL",
    message: "An internal error has occurred. Please retry or report in https://developers.generativeai.google/guide/troubleshooting",
  },
  503: { type: "UNAVAILABLE", message: "The model is overloaded. Please try again later." },
  504: { type: "DEADLINE_EXCEEDED", message: "The request timed out. Please try again." },
};

export function geminiErrorBody(error: ErrorReply): unknown {
  const usual = DEFAULTS[error.status] ?? { type: "INTERNAL", message: "An internal error has occurred." };
  const details = [
    ...(error.code ? [{ "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason: error.code, domain: "googleapis.com" }] : []),
    ...(error.retryAfterSec === undefined
      ? []
      : [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: `${error.retryAfterSec}s` }]),
  ];
  return {
    error: {
      code: error.status,
      message: error.message ?? usual.message,
      status: error.type ?? usual.type,
      ...(details.length > 0 && { details }),
    },
  };
}

/** Gemini sends the retry delay in the body, not in a header. */
export function geminiError(error: ErrorReply): HttpError {
  return { status: error.status, headers: {}, body: geminiErrorBody(error) };
}
