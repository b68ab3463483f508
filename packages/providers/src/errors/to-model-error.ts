import type { ModelFailureText } from "@skein/contracts";
import { ModelError, type ModelErrorKind } from "@skein/engine";
import { readFailure } from "./read-failure.ts";
import { findRefusedPart, isTooLong } from "./refusal-texts.ts";
import { readRetryAfterMs } from "./retry-after.ts";

export interface ErrorContext {
  /** Display name: `Anthropic`. */
  provider: string;
  modelId: string;
  /** The variable to set if the key is rejected. */
  keyName: string;
  /** Never repeated in a message. */
  apiKey: string;
  signal: AbortSignal;
}

/** Converts an SDK error to the one error class of the agent's loop. An abort returns the signal's reason. */
export function toModelError(error: unknown, context: ErrorContext): unknown {
  if (context.signal.aborted) return context.signal.reason;
  if (error instanceof ModelError) return error;
  const failure = readFailure(error);
  const said = redact(failure.message, context.apiKey);
  const kind = toKind(failure.status, failure.type, `${failure.type} ${failure.message}`);
  const retryAfterMs = kind === "rate-limit" || kind === "overloaded" ? readRetryAfterMs(failure.headers, failure.raw) : undefined;
  const part = kind === "bad-request" ? findRefusedPart(failure.message) : undefined;
  return new ModelError(kind, toText(kind, said, context), { cause: redactCause(error, context.apiKey), retryAfterMs, part });
}

function toKind(status: number | undefined, type: string, text: string): ModelErrorKind {
  if (/insufficient_quota|billing_error|credit balance/i.test(text)) return "quota";
  if (/api[_ ]key[_ ](not[_ ]valid|invalid)|API_KEY_INVALID|invalid_api_key/i.test(text)) return "auth";
  if (/model_not_found/i.test(text)) return "unknown-model";
  if (status === 413 || ((status === undefined || status === 400 || status === 422) && isTooLong(text))) return "context-too-long";
  const byType = typeKinds.find(([pattern]) => pattern.test(type));
  if (status === undefined) return byType?.[1] ?? "network";
  if (status === 401 || status === 403) return "auth";
  if (status === 404) return "unknown-model";
  if (status === 408) return "network";
  if (status === 429) return "rate-limit";
  if (status === 409 || status >= 500) return "overloaded";
  return status >= 400 ? "bad-request" : (byType?.[1] ?? "other");
}

/** Errors inside a stream have no status of their own. */
const typeKinds: readonly [RegExp, ModelErrorKind][] = [
  [/overloaded|server_error|api_error|internal|unavailable|vector_store_timeout/i, "overloaded"],
  [/rate_limit|resource_exhausted/i, "rate-limit"],
  [/authentication|permission|unauthenticated/i, "auth"],
  [/not_found/i, "unknown-model"],
  [/timeout|deadline/i, "network"],
  [/invalid|image|failed_precondition|policy/i, "bad-request"],
];

function toText(kind: ModelErrorKind, said: string, { provider, modelId: model, keyName }: ErrorContext): ModelFailureText {
  switch (kind) {
    case "rate-limit":
      return { code: "provider-limits", provider, said };
    case "quota":
      return { code: "provider-stopped-account", provider, said };
    case "overloaded":
      return { code: "provider-overloaded", provider, said };
    case "context-too-long":
      return { code: "conversation-too-long", model, said };
    case "bad-request":
      return { code: "provider-refused-request", provider, said };
    case "auth":
      return { code: "provider-refused-key", provider, variable: keyName, said };
    case "network":
      return { code: "provider-connection-failed", provider, said };
    case "unknown-model":
      return { code: "provider-unknown-model", provider, model, said };
    case "other":
      return { code: "provider-error", provider, said };
  }
}

function redact(message: string, apiKey: string): string {
  return apiKey.length < 6 ? message : message.replaceAll(apiKey, "…");
}

// A cause is logged with its message, which must not contain the key.
function redactCause(error: unknown, apiKey: string): unknown {
  return error instanceof Error && apiKey.length >= 6 && error.message.includes(apiKey) ? undefined : error;
}
