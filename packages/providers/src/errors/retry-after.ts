interface ReadableHeaders {
  get(name: string): string | null;
}

function asHeaders(value: unknown): ReadableHeaders | undefined {
  return typeof value === "object" && value !== null && "get" in value && typeof value.get === "function"
    ? (value as ReadableHeaders)
    : undefined;
}

/** The delay that the provider asked for, from its headers or (Gemini) from the error's details. */
export function readRetryAfterMs(headers: unknown, message: string, now = Date.now()): number | undefined {
  const readable = asHeaders(headers);
  const milliseconds = Number.parseFloat(readable?.get("retry-after-ms") ?? "");
  if (Number.isFinite(milliseconds)) return Math.max(0, milliseconds);
  const header = readable?.get("retry-after") ?? "";
  if (/^\d+(\.\d+)?$/.test(header)) return Number.parseFloat(header) * 1000;
  const date = Date.parse(header);
  if (header !== "" && Number.isFinite(date)) return Math.max(0, date - now);
  const reset = readResetHeaders(readable, now);
  if (reset !== undefined) return reset;
  const delay = /"retryDelay":\s*"(\d+(?:\.\d+)?)s"/.exec(message)?.[1];
  return delay === undefined ? undefined : Number.parseFloat(delay) * 1000;
}

/** The kinds of requests and tokens that Anthropic and OpenAI count; the unified one is that of a plan. */
const counted = ["requests", "tokens", "input-tokens", "output-tokens"];

/** When the limits that are used up end: `anthropic-ratelimit-tokens-reset` is a time, `x-ratelimit-reset-tokens` a duration. */
function readResetHeaders(headers: ReadableHeaders | undefined, now: number): number | undefined {
  if (headers === undefined) return undefined;
  const waits = counted.flatMap((kind) => [
    ...(headers.get(`anthropic-ratelimit-${kind}-remaining`) === "0" ? toWait(headers.get(`anthropic-ratelimit-${kind}-reset`), now) : []),
    ...(headers.get(`x-ratelimit-remaining-${kind}`) === "0" ? toDuration(headers.get(`x-ratelimit-reset-${kind}`)) : []),
  ]);
  if (headers.get("anthropic-ratelimit-unified-status") === "rejected")
    waits.push(...toWait(headers.get("anthropic-ratelimit-unified-reset"), now));
  return waits.length === 0 ? undefined : Math.max(...waits);
}

/** A time, in seconds or as text. */
function toWait(value: string | null, now: number): number[] {
  const at = /^\d{9,11}$/.test(value ?? "") ? Number(value) * 1000 : Date.parse(value ?? "");
  return Number.isFinite(at) ? [Math.max(0, at - now)] : [];
}

/** `1s`, `6m0s`, `1h2m3.5s`, `250ms`. */
function toDuration(value: string | null): number[] {
  const [all, hours = "0", minutes = "0", seconds = "0", milliseconds = "0"] =
    /^(?:(\d+)h)?(?:(\d+)m(?!s))?(?:(\d+(?:\.\d+)?)s)?(?:(\d+(?:\.\d+)?)ms)?$/.exec(value ?? "") ?? [];
  if (all === undefined || all === "") return [];
  return [((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + Number(milliseconds)];
}
