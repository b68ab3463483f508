import { type FSWatcher, watch } from "node:fs";

const retryMs = 60_000;

/**
 * Calls `onChange` when something below one of these folders changes. A folder that does not exist, or cannot be watched, is checked every
 * minute. Returns a function that stops watching.
 */
export function watchPlaces(places: readonly string[], onChange: () => void): () => void {
  const watchers = new Map<string, FSWatcher>();
  const open = (place: string): void => {
    if (watchers.has(place)) return;
    try {
      const watcher = watch(place, { recursive: true, persistent: false }, onChange);
      watcher.on("error", () => {
        watcher.close();
        watchers.delete(place);
      });
      watchers.set(place, watcher);
    } catch {
      // retried
    }
  };
  for (const place of places) open(place);
  const timer = setInterval(() => {
    for (const place of places) {
      if (watchers.has(place)) continue;
      open(place);
      if (watchers.has(place)) onChange();
    }
  }, retryMs).unref();
  return () => {
    clearInterval(timer);
    for (const watcher of watchers.values()) watcher.close();
  };
}
