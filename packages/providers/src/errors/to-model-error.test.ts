import { ModelError } from "@skein/engine";
import { describe, expect, test } from "vitest";
import { readRetryAfterMs } from "./retry-after.ts";
import { type ErrorContext, toModelError } from "./to-model-error.ts";

const context: ErrorContext = {
  provider: "Somewhere",
  modelId: "somewhere/model",
  keyName: "SOME_KEY",
  apiKey: "sk-secret-key",
  signal: new AbortController().signal,
};

const http = (status: number | undefined, message: string, error?: object) =>
  Object.assign(new Error(message), { ...(status === undefined ? {} : { status }), ...(error === undefined ? {} : { error }) });

describe("errors of the SDKs", () => {
  test.each([
    ["prompt is too long: 210000 tokens > 200000 maximum", "context-too-long"],
    ["input length and `max_tokens` exceed context limit: 190000 + 64000 > 200000", "context-too-long"],
    ["This model's maximum context length is 128000 tokens.", "context-too-long"],
    ["Your input exceeds the context window of this model.", "context-too-long"],
    ["The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).", "context-too-long"],
    ["request (9000 tokens) exceeds the available context size (8192 tokens)", "context-too-long"],
    ["max_tokens: 64000 > 8192, which is the maximum allowed number of output tokens", "bad-request"],
    ["API key not valid. Please pass a valid API key.", "auth"],
  ])("HTTP 400 %j is %s", (message, kind) => {
    expect(toModelError(http(400, message), context)).toMatchObject({ kind });
  });

  test.each([
    ["Unsupported parameter: 'reasoning.effort' is not supported with this model.", "effort"],
    ["Function tools with reasoning_effort are not supported for this model in /v1/chat/completions.", "effort"],
    ['"llama3.2:1b" does not support thinking', "effort"],
    ["Thinking level MEDIUM is not supported for this model.", "effort"],
    ["messages.3.content.0: Invalid `signature` in `thinking` block", "reasoning"],
    ["Item 'rs_1' of type 'reasoning' was provided without its required following item.", "reasoning"],
    ["messages.0.content.1.image.source.base64: image exceeds 5 MB maximum", "image"],
    ["tools.0.custom.input_schema: JSON schema is invalid", "tool-definition"],
    ["`tool_use` ids were found without `tool_result` blocks immediately after", "tool-call"],
    ["text content blocks must be non-empty", "text"],
    ["temperature: out of range", undefined],
  ])("a refusal names its part: %s", (message, part) => {
    expect(toModelError(http(400, message), context)).toMatchObject({ kind: "bad-request", part });
  });

  test("an exhausted quota is not retried", () => {
    const error = http(429, "quota", { code: "insufficient_quota", message: "You exceeded your current quota" });
    expect(toModelError(error, context)).toMatchObject({ kind: "quota" });
  });

  test.each([
    [{ type: "error", error: { type: "overloaded_error", message: "Overloaded" } }, "overloaded"],
    [{ type: "error", error: { type: "invalid_request_error", message: "no" } }, "bad-request"],
    [{ code: "rate_limit_exceeded", message: "slow down" }, "rate-limit"],
    [{ code: "server_error", message: "oops" }, "overloaded"],
  ])("inside a stream: %j is %s", (error, kind) => {
    expect(toModelError(http(undefined, "x", error), context)).toMatchObject({ kind });
  });

  test("the cause of a fetch error is part of the message", () => {
    const cause = Object.assign(new Error("getaddrinfo ENOTFOUND api.nowhere"), { code: "ENOTFOUND" });
    const error = toModelError(new Error("Connection error.", { cause: new TypeError("fetch failed", { cause }) }), context);
    expect(error).toMatchObject({ kind: "network", message: expect.stringContaining("ENOTFOUND api.nowhere") });
  });

  test("[X11] the key is never repeated, in the message or its cause", () => {
    const error = toModelError(http(401, "bad key sk-secret-key"), context);
    expect(error).toBeInstanceOf(ModelError);
    expect(String(error)).not.toContain("secret");
    expect((error as ModelError).cause).toBeUndefined();
  });

  test("an abort gives its own reason", () => {
    const reason = new Error("stopped");
    expect(toModelError(new Error("Request was aborted."), { ...context, signal: AbortSignal.abort(reason) })).toBe(reason);
  });
});

test.each([
  [{ "retry-after-ms": "1500", "retry-after": "9" }, "", 1500],
  [{ "retry-after": "2.5" }, "", 2500],
  [{ "retry-after": "Thu, 01 Jan 1970 00:00:10 GMT" }, "", 7000],
  [{}, '{"details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"34.07s"}]}', 34_070],
  [{ "retry-after": "soon" }, "", undefined],
])("how long to wait: %j %s", (headers, message, expected) => {
  expect(readRetryAfterMs(new Headers(headers as Record<string, string>), message, 3000)).toBe(expected);
});
