import { type RetryOptions, withRetry } from "./retry.ts";

/** Longer than any restart takes. */
const delaysMs = [300, 700, 1500, 3000, 6000, 10_000];

/**
 * Loads code when it is first needed, and retries while the server restarts, so that one missing part does not take down the whole
 * page. Rejects when it still fails, as after an update that replaced it.
 */
export function loadPart<Part>(load: () => Promise<Part>, options: RetryOptions = {}): Promise<Part> {
  return withRetry(load, { delaysMs, isRetryable: () => true, ...options });
}
