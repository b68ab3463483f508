interface ModuleGraph {
  getModuleInfo(id: string): Record<"importers" | "dynamicImporters" | "importedIds" | "dynamicallyImportedIds", readonly string[]> | null;
}

/**
 * One chunk for all that an entry imports statically, without what entries before it need. By default each set of modules that
 * some lazy parts share is a chunk of its own: forty requests before the first paint, and forty more before a task is shown.
 */
export function createPageChunks(entries: Readonly<Record<string, RegExp>>): (moduleId: string, graph: ModuleGraph) => string | null {
  let chunks: ReadonlyMap<string, string> | undefined;
  return (moduleId, graph) => {
    chunks ??= assign(entries, graph, moduleId);
    return chunks.get(moduleId) ?? null;
  };
}

/** Importing anything from these packages reaches all of them and their dependencies: the bundler finds what a page really uses. */
const barrels = /[\\/]packages[\\/](?:contracts|engine)[\\/]/;

/** Entries are found by going up from any module to those that import it. */
function assign(entries: Readonly<Record<string, RegExp>>, graph: ModuleGraph, start: string): ReadonlyMap<string, string> {
  const down = (id: string) => (barrels.test(id) ? [] : (graph.getModuleInfo(id)?.importedIds ?? []));
  const up = (id: string) => {
    const info = graph.getModuleInfo(id);
    return [...(info?.importers ?? []), ...(info?.dynamicImporters ?? [])];
  };
  const all = walk([...walk([start], up)], (id) => [
    ...(graph.getModuleInfo(id)?.importedIds ?? []),
    ...(graph.getModuleInfo(id)?.dynamicallyImportedIds ?? []),
  ]);
  const chunks = new Map<string, string>();
  for (const [name, entry] of Object.entries(entries)) {
    const roots = [...all].filter((id) => entry.test(id));
    for (const id of walk(roots, down)) {
      // not an entry itself: the page's own waits for lazy parts, which need this chunk to have run
      if (!chunks.has(id) && !roots.includes(id) && !barrels.test(id)) chunks.set(id, name);
    }
  }
  return chunks;
}

function walk(from: readonly string[], next: (id: string) => readonly string[]): ReadonlySet<string> {
  const seen = new Set(from);
  for (const id of seen) for (const other of next(id)) seen.add(other);
  return seen;
}
