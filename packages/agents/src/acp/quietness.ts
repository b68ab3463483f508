import { setTimeout as wait } from "node:timers/promises";

const quietMs = 300;
const patienceMs = 15_000;

/** Detects when an agent sends nothing more for now. */
export interface Quietness {
  disturb(): void;
  /** Resolves when nothing came for a while. One agent answers that a session is loaded before it has replayed most of it. */
  wait(): Promise<void>;
}

export function createQuietness(): Quietness {
  let disturbances = 0;
  return {
    disturb() {
      disturbances += 1;
    },
    async wait() {
      for (let waited = 0, before = -1; before !== disturbances && waited < patienceMs; waited += quietMs) {
        before = disturbances;
        await wait(quietMs);
      }
    },
  };
}
