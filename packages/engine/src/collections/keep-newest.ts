/**
 * Deletes the entries that were added first until at most `limit` are left. To make a map forget what was *used* longest ago,
 * delete an entry and set it again when it is read. Small enough to need no package: callers bound memory, they do not cache
 * by size or age.
 */
export function keepNewest<Key>(collection: Map<Key, unknown> | Set<Key>, limit: number): void {
  for (const oldest of collection.keys()) {
    if (collection.size <= limit) break;
    collection.delete(oldest);
  }
}
