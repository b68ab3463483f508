import { useSyncExternalStore } from "react";

const tickMs = 20_000;
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let minute = 0;

const read = (): number => Math.floor(Date.now() / 60_000) * 60_000;

/** The time at the beginning of the current minute. One timer for the whole page: a board shows hundreds of ages. */
export function useMinute(): number {
  return useSyncExternalStore(subscribe, () => minute || read());
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  minute = read();
  timer ??= setInterval(() => {
    minute = read();
    for (const listener of listeners) listener();
  }, tickMs);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
    minute = 0;
  };
}
