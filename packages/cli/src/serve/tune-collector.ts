import { setFlagsFromString } from "node:v8";

/**
 * Collects young objects in the thread that made them. V8 shares that work with helper threads and waits for them: 1 ms at best,
 * 40 to 70 ms when agents use every core and a helper is not scheduled. Alone it takes 0.3 ms longer and 8 % less processor time.
 */
export function collectInOneThread(): void {
  setFlagsFromString("--no-parallel-scavenge");
}
