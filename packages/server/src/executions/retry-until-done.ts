import { setTimeout as wait } from "node:timers/promises";

const firstDelayMs = 250;
const longestDelayMs = 30_000;

/** Retries a required write until it succeeds: a full disk or a locked database is transient. */
export async function retryUntilDone<T>(work: () => Promise<T>, onFailure: (error: unknown) => void): Promise<T> {
  for (let delayMs = firstDelayMs; ; delayMs = Math.min(delayMs * 2, longestDelayMs)) {
    try {
      return await work();
    } catch (error) {
      onFailure(error);
      await wait(delayMs, undefined, { ref: false });
    }
  }
}
