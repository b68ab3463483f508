import type { CatalogueEntry } from "@skein/contracts";

/** Entries with every word of the search in their name, id or description; those that can be added come first. */
export function findEntries(entries: readonly CatalogueEntry[], search: string): CatalogueEntry[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const found = entries.filter(({ id, name, description }) => {
    const text = `${id} ${name} ${description}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  return found.toSorted((a, b) => rank(a) - rank(b));
}

function rank({ builtIn, added }: CatalogueEntry): number {
  return builtIn !== undefined ? 2 : added !== undefined ? 1 : 0;
}
