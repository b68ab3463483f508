/** What was added longest ago is forgotten: an agent that never ends what it began costs no memory. */
export function keepNewest(collection: Map<string, unknown> | Set<string>, limit: number): void {
  for (const oldest of collection.keys()) {
    if (collection.size <= limit) break;
    collection.delete(oldest);
  }
}
