import { ApiError, findStorageCause, NetworkError } from "./api-error.ts";

export interface RetryOptions {
  delaysMs?: readonly number[];
  wait?: (ms: number) => Promise<void>;
  /** Which failures to retry. Default: connection failures and a busy database. */
  isRetryable?: (error: unknown) => boolean;
}

const defaultDelays = [300, 1000, 3000];
const defaultWait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/**
 * Retries when there was no answer, or the server could not give one. Only for requests that may be repeated: a command
 * with an id, a change of something by its id.
 */
export async function withRetry<Result>(action: () => Promise<Result>, options: RetryOptions = {}): Promise<Result> {
  const { wait = defaultWait, isRetryable = isTransient } = options;
  for (const delay of options.delaysMs ?? defaultDelays) {
    try {
      return await action();
    } catch (error) {
      if (!isRetryable(error)) throw error;
      await wait(delay);
    }
  }
  return action();
}

export function isTransient(error: unknown): boolean {
  const fault = findStorageCause(error);
  // a full disk is not emptied within seconds; a database that another program reads may be free in a moment
  if (fault !== undefined) return fault === "busy";
  return error instanceof NetworkError || (error instanceof ApiError && [502, 503, 504].includes(error.problem.status));
}
