import { setTimeout as wait } from "node:timers/promises";
import type { Storage } from "@skein/engine";

const messagesAtOnce = 200;
/** Others have the database for most of the time: nobody waits for this. */
const pauseMs = 100;

/** Indexes again what an earlier release has indexed, until it is done or the signal ends it; the next start goes on from there. */
export async function renewSearch(storage: Storage, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await storage.transaction((tx) => tx.renewSearch({ limit: messagesAtOnce })))) {
    await wait(pauseMs, undefined, { signal, ref: false }).catch(() => {});
  }
}
