import { type RetryOptions, withRetry } from "./retry.ts";

/** A restart takes seconds; longer than this it is no restart. */
const delaysMs = [300, 700, 1500, 3000, 6000, 10_000];

/**
 * Code that is fetched when it is first needed. While the server restarts it is waited for: one part that is late must not
 * take the whole page with it. Throws when it does not come, as after an update that replaced it.
 */
export function loadPart<Part>(load: () => Promise<Part>, options: RetryOptions = {}): Promise<Part> {
  return withRetry(load, { delaysMs, isRetryable: () => true, ...options });
}
