import type { ProviderLimit } from "@skein/contracts";
import { describe, expect, test } from "vitest";
import { findProviderLimit } from "./find-provider-limit.ts";

/** A Wednesday; 12:00 in UTC. */
const now = Date.parse("2026-11-18T12:00:00Z");
const utc = (text: string): number => Date.parse(text);
const inSeconds = (seconds: number): number => now + seconds * 1000;

interface Sample {
  /** Where the text was seen. */
  source: string;
  text: string;
  limit: ProviderLimit;
}

const samples: readonly Sample[] = [
  {
    source: "anthropics/claude-code#77082 (2.1.207)",
    text: "You've hit your session limit · resets 8:30pm (Asia/Tokyo)",
    limit: { code: "plan-limit", resetsAt: utc("2026-11-19T11:30:00Z"), scope: "session" },
  },
  {
    source: "anthropics/claude-code#79136 (2.1.215)",
    text: "You've hit your session limit · resets 10:30pm (Europe/Berlin)\n/login to switch to an API usage-billed account.",
    limit: { code: "plan-limit", resetsAt: utc("2026-11-18T21:30:00Z"), scope: "session" },
  },
  {
    source: "anthropics/claude-code#85572 (2.1.226)",
    text: "You've hit your session limit · resets 3pm (America/Bogota)",
    limit: { code: "plan-limit", resetsAt: utc("2026-11-18T20:00:00Z"), scope: "session" },
  },
  {
    source: "anthropics/claude-code#54698 (2.1.123)",
    text: "You've hit your limit · resets 1:30am (Asia/Dhaka)",
    limit: { code: "plan-limit", resetsAt: utc("2026-11-18T19:30:00Z"), scope: "account" },
  },
  {
    source: "anthropics/claude-code#12789 (2.0.55)",
    text: "Weekly limit reached · resets 10am (Asia/Seoul) · /upgrade to Max or turn on /extra-usage",
    limit: { code: "plan-limit", resetsAt: utc("2026-11-19T01:00:00Z"), scope: "week" },
  },
  {
    source: "anthropics/claude-code#7157 (1.0.105), in UTC",
    text: "5-hour limit reached ∙ resets 2am",
    limit: { code: "plan-limit", resetsAt: utc("2026-11-19T02:00:00Z"), scope: "session" },
  },
  {
    source: "anthropics/claude-code#2087 (1.0.24)",
    text: "Claude usage limit reached. Your limit will reset at 1pm (Etc/GMT+5).",
    limit: { code: "plan-limit", resetsAt: utc("2026-11-18T18:00:00Z"), scope: "account" },
  },
  {
    source: "anthropics/claude-code#2087, its title",
    text: "Claude AI usage limit reached|1795010400",
    limit: { code: "plan-limit", resetsAt: 1795010400_000, scope: "account" },
  },
  {
    source: "openai/codex#3899 (0.39.0)",
    text: "You've hit your usage limit. Upgrade to Pro (https://openai.com/chatgpt/pricing) or try again in 5 days 22 hours 11 minutes.",
    limit: { code: "plan-limit", resetsAt: inSeconds(5 * 86_400 + 22 * 3600 + 11 * 60), scope: "account" },
  },
  {
    source: "openai/codex#2669 (0.23.0): no time",
    text: "You've hit your usage limit. Upgrade to Pro (https://openai.com/chatgpt/pricing), or wait for limits to reset (every 5h and every week.).",
    limit: { code: "plan-limit", resetsAt: null, scope: "account" },
  },
  {
    source: "openai/codex, later versions, with a date",
    text: "You've hit your usage limit. Please try again at Nov 29th, 2026 12:55 AM.",
    limit: { code: "plan-limit", resetsAt: utc("2026-11-29T00:55:00Z"), scope: "account" },
  },
  {
    source: "openai/codex, later versions, on the same day",
    text: "You've hit your usage limit. Upgrade to Pro (https://chatgpt.com/explore/pro), visit https://chatgpt.com/codex/settings/usage to purchase more credits or try again at 11:05 PM.",
    limit: { code: "plan-limit", resetsAt: utc("2026-11-18T23:05:00Z"), scope: "account" },
  },
  {
    source: "earendil-works/pi#4172: the API of Codex",
    text: '{"type":"error","error":{"type":"usage_limit_reached","message":"The usage limit has been reached","plan_type":"plus","resets_at":1795026072,"resets_in_seconds":13872},"status_code":429}',
    limit: { code: "plan-limit", resetsAt: 1795026072_000, scope: "account" },
  },
  {
    source: "recorded with Codex 0.166.0, HTTP 429",
    text: "exceeded retry limit, last status: 429 Too Many Requests",
    limit: { code: "rate-limit", resetsAt: null, scope: null },
  },
  {
    source: "recorded with Gemini CLI 0.61.0, HTTP 429",
    text: "[API Error: You have exhausted your daily quota on this model.]\nPlease wait and try again later. To increase your limits, request a quota increase through AI Studio, or switch to another /auth method",
    limit: { code: "daily-quota", resetsAt: null, scope: "day" },
  },
  {
    source: "Gemini CLI, TerminalQuotaError",
    text: "You have exhausted your capacity on this model. Your quota will reset after 21h53m56s.",
    limit: { code: "daily-quota", resetsAt: inSeconds(21 * 3600 + 53 * 60 + 56), scope: "model" },
  },
  {
    source: "google-gemini/gemini-cli#10925",
    text: '[API Error: [{ "error": { "code": 429, "message": "Quota exceeded for quota metric \'Gemini 2.5 Pro Requests\' and limit \'Gemini 2.5 Pro Requests per day per user per tier\' of service \'cloudcode-pa.googleapis.com\'", "status": "RESOURCE_EXHAUSTED" }}]',
    limit: { code: "daily-quota", resetsAt: null, scope: "day" },
  },
  {
    source: "the Gemini API, with RetryInfo",
    text: '{"error":{"code":429,"status":"RESOURCE_EXHAUSTED","details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"134.5s"}]}}',
    limit: { code: "rate-limit", resetsAt: inSeconds(134.5), scope: null },
  },
  {
    source: "the OpenAI API",
    text: "Rate limit reached for gpt-5.5 in organization org-x on tokens per min (TPM): Limit 30000, Used 29000. Please try again in 6m0s.",
    limit: { code: "rate-limit", resetsAt: inSeconds(360), scope: null },
  },
  {
    source: "recorded with Claude Code 2.1.325, HTTP 429",
    text: "API Error: Request rejected (429) · Rate limited (fake)",
    limit: { code: "rate-limit", resetsAt: null, scope: null },
  },
  {
    source: "the Anthropic API, HTTP 529",
    text: 'API Error: 529 {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}',
    limit: { code: "overloaded", resetsAt: null, scope: null },
  },
];

describe("limits in the texts of agents", () => {
  test.each(samples)("[L3] $source", ({ text, limit }) => {
    expect(findProviderLimit(text, { now, timeZone: "UTC" })).toEqual(limit);
  });

  test.each([
    "You exceeded your current quota, please check your plan and billing details. (insufficient_quota)",
    "Your credit balance is too low to access the Anthropic API.",
    "API Error: 500 Internal server error",
    "No conversation found with session ID abc",
    "input_tokens: 4291, output_tokens: 1429",
    "npm error: rate_limit.test.ts failed",
    "",
  ])("[L3] is not a limit that ends by itself: %s", (text) => {
    expect(findProviderLimit(text, { now, timeZone: "UTC" })).toBeUndefined();
  });

  test("[L3] a limit that ends in a moment is a rate limit; a time in the past or far away is none", () => {
    const read = (text: string) => findProviderLimit(text, { now, timeZone: "UTC" });
    expect(read("You have exhausted your capacity on this model. Your quota will reset after 0s.")).toMatchObject({ resetsAt: null });
    expect(read("You have exhausted your capacity on this model. Your quota will reset after 39s.")).toEqual({
      code: "rate-limit",
      resetsAt: inSeconds(39),
      scope: "model",
    });
    expect(read("Claude AI usage limit reached|4102444800")).toMatchObject({ resetsAt: null });
  });

  test("[L3] a time of the clock is that of its zone, also where clocks change in between", () => {
    const at = Date.parse("2026-10-24T22:00:00Z"); // in Berlin, clocks go back in this night
    const read = (text: string) => findProviderLimit(text, { now: at })?.resetsAt;
    expect(read("You've hit your session limit · resets 3:30am (Europe/Berlin)")).toBe(utc("2026-10-25T02:30:00Z"));
    expect(read("You've hit your session limit · resets 11:30pm (Europe/Berlin)")).toBe(utc("2026-10-25T22:30:00Z"));
    const newYear = findProviderLimit("You've hit your weekly limit · resets Jan 2, 5am (UTC)", { now: utc("2026-12-30T12:00:00Z") });
    expect(newYear).toEqual({ code: "plan-limit", resetsAt: utc("2027-01-02T05:00:00Z"), scope: "week" });
  });
});
