import type { QueryClient, QueryKey } from "@tanstack/react-query";
import { addTasks } from "./stream-tasks.ts";
import type { KnownTask } from "./task-activity.ts";

/**
 * Loads a list into its cache, in parts. At the first load each part is shown when it arrives; at a reload the old list stays until
 * all parts have arrived. Changes that events make to the cache meanwhile are kept in both cases.
 */
export async function loadTasks(
  { client, queryKey, signal }: { client: QueryClient; queryKey: QueryKey; signal: AbortSignal },
  parts: AsyncIterable<KnownTask[]>,
): Promise<KnownTask[]> {
  const before = client.getQueryData<KnownTask[]>(queryKey);
  let loaded: KnownTask[] = [];
  for await (const part of parts) {
    signal.throwIfAborted();
    loaded = addTasks(loaded, part);
    if (before === undefined) client.setQueryData<KnownTask[]>(queryKey, (known = []) => addTasks(known, part));
  }
  const known = client.getQueryData<KnownTask[]>(queryKey);
  if (known === undefined) return loaded;
  return before === undefined ? known : keepChanges(loaded, { before, now: known });
}

/** `loaded`, with what has changed in the cache since `before`. A cache that changes has new objects where it does. */
function keepChanges(loaded: readonly KnownTask[], { before, now }: { before: readonly KnownTask[]; now: readonly KnownTask[] }) {
  const old = new Map(before.map((task) => [task.id, task]));
  const left = new Set(now.map(({ id }) => id));
  const changed = now.filter((task) => old.get(task.id) !== task);
  return addTasks(
    changed,
    loaded.filter(({ id }) => left.has(id) || !old.has(id)),
  );
}
