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
  const delay = /"retryDelay":\s*"(\d+(?:\.\d+)?)s"/.exec(message)?.[1];
  return delay === undefined ? undefined : Number.parseFloat(delay) * 1000;
}
