import { setTimeout as wait } from "node:timers/promises";

const idleMs = 300;
const maxWaitMs = 15_000;

/** Detects when an agent has stopped sending messages. */
export interface IdleDetector {
  /** Call for each message of the agent. */
  onActivity(): void;
  /**
   * Resolves after 300 ms without a message, at the latest after 15 seconds. One agent reports that a session is loaded before it has
   * replayed most of it.
   */
  untilIdle(): Promise<void>;
}

export function createIdleDetector(): IdleDetector {
  let messages = 0;
  return {
    onActivity() {
      messages += 1;
    },
    async untilIdle() {
      for (let waited = 0, before = -1; before !== messages && waited < maxWaitMs; waited += idleMs) {
        before = messages;
        await wait(idleMs);
      }
    },
  };
}
