import { setTimeout as wait } from "node:timers/promises";
import type { Storage } from "@skein/engine";

const messagesAtOnce = 200;
/** Pause between slices: this work is never urgent. */
const pauseMs = 100;

/** Rebuilds the index entries of an earlier release, until done or aborted; the next start continues. */
export async function renewSearch(storage: Storage, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await storage.transaction((tx) => tx.renewSearch({ limit: messagesAtOnce })))) {
    await wait(pauseMs, undefined, { signal, ref: false }).catch(() => {});
  }
}
