import { formatText } from "@skein/engine";
import { describe, expect, it } from "vitest";
import { explainModelFailure, type FailingAgent, findGateway, findModelFailure } from "./explain-model-failure.ts";

describe("findModelFailure", () => {
  // as reported by the agents
  it.each([
    ["credentials", "401 Incorrect API key provided."],
    ["credentials", "unexpected status 401 Unauthorized: Incorrect API key provided., url: http://127.0.0.1:4000/v1/responses"],
    ["credentials", "Authentication required"],
    ["credentials", "Invalid API key · Fix external API key"],
    ["credentials", "API key not valid. Please pass a valid API key."],
    ["credentials", "Authentication failed with provider at http://127.0.0.1:4000/v1 (HTTP 401)."],
    ["rate-limit", "exceeded retry limit, last status: 429 Too Many Requests, request id: req_a3"],
    ["rate-limit", "API Error: Request rejected (429) · This request would exceed your account's rate limit."],
    ["quota", "429 You exceeded your current quota, please check your plan and billing details."],
    ["quota", "Credit balance is too low"],
    ["rate-limit", "You exceeded your current quota, please check your plan and billing details. Please retry in 34.07s."],
    ["server", "An internal error has occurred. Please retry or report in https://developers.generativeai.google/guide/troubleshooting"],
    ["server", "API Error: 500 Internal server error. This is a server-side issue"],
    ["server", "We're currently experiencing high demand, which may cause temporary errors."],
    ["server", "Last error: 503 The server had an error"],
    ["server", "The server had an error while processing your request. Sorry about that!"],
    ["network", "fetch failed: connect ECONNREFUSED 127.0.0.1:4000"],
    ["network", "stream disconnected before completion"],
    [undefined, "The model refused to continue."],
    [undefined, "The tool printed 500 lines and 401 words."],
    ["rate-limit", '{"type":"error","error":{"type":"rate_limit_error"}}'],
    [undefined, "Error: Cannot find module '/home/me/rate-limit/index.js'"],
    [undefined, "Error: Cannot find package 'express-rate-limit' imported from RateLimiter.ts"],
    [undefined, "opencode is not logged in. Run: opencode auth login"],
  ])("[E5] %s: %s", (expected, reason) => {
    expect(findModelFailure(reason)).toBe(expected);
  });
});

function explain(reason: string, agent: FailingAgent): string | undefined {
  const text = explainModelFailure(reason, agent);
  return text && formatText(text);
}

describe("explainModelFailure", () => {
  const agent = { name: "Qwen Code", login: { command: "qwen" } };

  it("[E5] each failure explains what to do, and quotes the agent", () => {
    expect(explain("401 Incorrect API key provided.", agent)).toBe(
      "Qwen Code's login was not accepted (“401 Incorrect API key provided”). Run: qwen",
    );
    expect(explain("HTTP 429: slow down", agent)).toMatch(/Wait a minute, then send a message to retry\.$/);
    expect(explain("insufficient_quota", agent)).toMatch(/Check its plan and billing, or choose another model\.$/);
    expect(explain("status 500", agent)).toMatch(/send a message to retry\.$/);
    expect(explain("ECONNREFUSED", agent)).toMatch(/Check the network and the proxy settings/);
    expect(explain("It ended.", agent)).toBeUndefined();
  });

  it("[E5] a gateway that rejects a key is named, and no login is suggested", () => {
    const rejected = "unexpected status 401 Unauthorized: no., url: https://models.example.com/v1/responses, request id: r";
    const gateway = findGateway(rejected, {});
    expect(explain(rejected, { ...agent, gateway })).toMatch(/^models\.example\.com did not accept Qwen Code's API key .* Check the key/);
  });

  it("a long message of an agent is truncated to one line", () => {
    const [line, ...more] = (explain(`status 500\n${"x".repeat(5000)}`, agent) ?? "").split("\n");
    expect(more).toEqual([]);
    expect(line?.length).toBeLessThan(400);
  });
});

describe("findGateway", () => {
  it.each([
    ["a variable", "401 no", { ANTHROPIC_BASE_URL: "http://127.0.0.1:4000/v1", OTHER: "http://x" }, "127.0.0.1:4000"],
    ["the text, before any variable", "401, url: https://a.example/v1", { OPENAI_BASE_URL: "http://b.example" }, "a.example"],
    ["no provider's own address", "401, url: https://api.openai.com/v1", { OPENAI_BASE_URL: "http://b.example" }, undefined],
    ["no provider's own address in a variable", "401", { OPENAI_BASE_URL: "https://api.openai.com/v1" }, undefined],
    ["nothing that is no address", "401", { OPENAI_BASE_URL: "not an address" }, undefined],
  ])("is read from %s", (_, reason, environment, expected) => {
    expect(findGateway(reason, environment)).toBe(expected);
  });
});
