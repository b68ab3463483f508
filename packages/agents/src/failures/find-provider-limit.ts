import type { ProviderLimit } from "@skein/contracts";
import { findClockTime } from "./clock-time.ts";

/** Texts are error messages. What is longer is output that may quote one. */
const longestText = 4000;
/** Shorter limits end while an agent retries by itself. */
const shortestWaitMs = 60_000;
const longestWaitMs = 32 * 24 * 60 * 60_000;

interface Sign {
  pattern: RegExp;
  code: ProviderLimit["code"];
  scope?: ProviderLimit["scope"];
}

/** In this order: the words of a plan are more specific than the status of a response. */
const signs: readonly Sign[] = [
  // Claude Code: the name of the window that is used up
  { pattern: /\b(?:hit|reached) your session limit\b|\b5-hour limit reached\b/i, code: "plan-limit", scope: "session" },
  { pattern: /\b(?:hit|reached) your weekly limit\b|\bweekly limit reached\b/i, code: "plan-limit", scope: "week" },
  {
    pattern: /\b(?:hit|reached) your (?:opus|sonnet|haiku|fable)[\w .]* limit\b|\b(?:opus|sonnet)[\w .]* limit reached\b/i,
    code: "plan-limit",
    scope: "model",
  },
  { pattern: /\bclaude(?: \w+)? usage limit reached\b|\b(?:hit|reached) your (?:usage )?limit\b/i, code: "plan-limit", scope: "account" },
  // Codex, in its own words and in those of its API
  {
    pattern: /\busage_limit_(?:reached|exceeded)\b|\busageLimitExceeded\b|\bthe usage limit has been reached\b/i,
    code: "plan-limit",
    scope: "account",
  },
  // Gemini
  {
    pattern: /\bexhausted your daily quota\b|per ?day\b[\s\S]{0,400}\bquota|\bquota\b[\s\S]{0,400}per ?day\b/i,
    code: "daily-quota",
    scope: "day",
  },
  { pattern: /\bexhausted your capacity on this model\b/i, code: "daily-quota", scope: "model" },
  { pattern: /\boverloaded(?:_error)?\b|\bmodel is (?:currently )?(?:overloaded|experiencing high demand)\b|\b529\b/i, code: "overloaded" },
  {
    pattern: /\brate_limit_(?:error|exceeded)\b|\bRESOURCE_EXHAUSTED\b|\b429 Too Many Requests\b|\bRequest rejected \(429\)/i,
    code: "rate-limit",
  },
  { pattern: /\blast status: 429\b|\brate limit reached for\b|\bResource (?:has been )?exhausted\b/i, code: "rate-limit" },
];

/** A quota that is paid for, not waited for. */
const needsPayment = /insufficient_quota|credit balance|out of credits|billing_error|purchase more credits to continue/i;

/**
 * The limit that a failure of an agent reports in its text; undefined for every other failure. Limits that end within a minute have
 * code `rate-limit`, whatever the provider calls them.
 *
 * @param clock.timeZone of times without one; default: that of this machine
 */
export function findProviderLimit(text: string, clock: { now: number; timeZone?: string }): ProviderLimit | undefined {
  if (text.length > longestText || needsPayment.test(text)) return undefined;
  const sign = signs.find(({ pattern }) => pattern.test(text));
  if (sign === undefined) return undefined;
  const resetsAt = findResetTime(text, clock);
  const code = resetsAt !== null && resetsAt - clock.now < shortestWaitMs && sign.code !== "overloaded" ? "rate-limit" : sign.code;
  return { code, resetsAt, scope: sign.scope ?? null };
}

/** When a limit ends, in epoch milliseconds: as a time, or as what is left of it. Null if the text does not say. */
function findResetTime(text: string, clock: { now: number; timeZone?: string }): number | null {
  const at = findEpoch(text) ?? findDuration(text, clock.now) ?? findClockTime(text, clock);
  return at !== undefined && at - clock.now < longestWaitMs ? Math.round(at) : null;
}

/** `usage limit reached|1751997600`, `"resets_at":1777936568`, `"quotaResetTimeStamp":"2025-10-20T19:14:08Z"`. */
function findEpoch(text: string): number | undefined {
  const [, seconds] = /(?:limit reached\||"?resets?_?at"?\s*[:=]\s*)(\d{10})\b/i.exec(text) ?? [];
  if (seconds !== undefined) return Number(seconds) * 1000;
  const [, stamp] = /"?quotaResetTimeStamp"?\s*[:=]\s*\\?"([^"\\]{10,40})\\?"/.exec(text) ?? [];
  const at = stamp === undefined ? Number.NaN : Date.parse(stamp);
  return Number.isNaN(at) ? undefined : at;
}

const units: Readonly<Record<string, number>> = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000 };

/** `"resets_in_seconds":13872`, `"retryDelay":"34.07s"`, `try again in 5 days 22 hours`, `reset after 18h31m10s`, `try again in 6m0s`. */
function findDuration(text: string, now: number): number | undefined {
  const [, seconds] = /resets_in_seconds\W{1,4}(\d{1,8})/.exec(text) ?? [];
  if (seconds !== undefined) return now + Number(seconds) * 1000;
  const [, delay] = /retryDelay\W{1,6}(\d+(?:\.\d+)?)s/.exec(text) ?? [];
  const [, words] =
    /\b(?:try again|retry|resets?|reset after|retry after) (?:in|after) ((?:\d+(?:\.\d+)?\s*[a-z]+[\s,]*(?:and\s+)?){1,5})/i.exec(text) ??
    [];
  if (words === undefined) return delay === undefined ? undefined : now + Number(delay) * 1000;
  let ms = 0;
  for (const [, amount = "", unit = ""] of words.matchAll(
    /(\d+(?:\.\d+)?)\s*(days?|d|hours?|hrs?|h|minutes?|mins?|ms|m|seconds?|secs?|s)(?![a-z])/gi,
  )) {
    ms += Number(amount) * (unit.toLowerCase() === "ms" ? 1 : (units[unit.charAt(0).toLowerCase()] ?? 0));
  }
  return ms === 0 ? undefined : now + ms;
}
