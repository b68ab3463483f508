/**
 * Deletes the oldest entries until at most `limit` are left. For LRU behaviour, delete and re-set an entry when it is read. Small enough
 * to need no package: callers bound memory, they do not cache by size or age.
 */
export function keepNewest<Key>(collection: Map<Key, unknown> | Set<Key>, limit: number): void {
  if (collection.size <= limit) return;
  for (const oldest of collection.keys()) {
    if (collection.size <= limit) break;
    collection.delete(oldest);
  }
}
