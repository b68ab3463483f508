interface ModuleGraph {
  getModuleInfo(id: string): Record<"importers" | "dynamicImporters" | "importedIds" | "dynamicallyImportedIds", readonly string[]> | null;
}

/**
 * One chunk for everything that an entry imports statically, except what earlier entries need. By default each set of modules that
 * some lazy parts share is a chunk of its own: forty requests before the first paint, and forty more before a task is shown.
 */
export function createPageChunks(
  entries: Readonly<Record<string, RegExp>>,
): { name(moduleId: string, graph: ModuleGraph): string | null; priority: number }[] {
  let chunks: ReadonlyMap<string, string> | undefined;
  // by priority: a group also takes what its modules import, unless an earlier one has it
  return Object.keys(entries).map((name, index, { length }) => ({
    name(moduleId, graph) {
      chunks ??= assign(entries, graph, moduleId);
      return chunks.get(moduleId) === name ? name : null;
    },
    priority: length - index,
  }));
}

/** An import of one thing from these packages reaches all of them and their dependencies: which parts a page uses is left to the bundler. */
const barrels = /[\\/]packages[\\/](?:contracts|engine)[\\/]|[\\/]node_modules[\\/]zod[\\/]/;
const contracts = /[\\/]packages[\\/]contracts[\\/]/;
const zod = /[\\/]node_modules[\\/]zod[\\/]/;

/** Finds the entries by walking up from any module to its importers. */
function assign(entries: Readonly<Record<string, RegExp>>, graph: ModuleGraph, start: string): ReadonlyMap<string, string> {
  const imports = (id: string) => graph.getModuleInfo(id)?.importedIds ?? [];
  const down = (id: string) => (barrels.test(id) ? [] : imports(id));
  const up = (id: string) => {
    const info = graph.getModuleInfo(id);
    return [...(info?.importers ?? []), ...(info?.dynamicImporters ?? [])];
  };
  const all = walk([...walk([start], up)], (id) => [...imports(id), ...(graph.getModuleInfo(id)?.dynamicallyImportedIds ?? [])]);
  const chunks = new Map<string, string>();
  const [first] = Object.keys(entries);
  for (const id of all) {
    // functions that schemas and pages share: elsewhere, loading the schemas would load the chunk of a page
    if (first !== undefined && contracts.test(id) && ![...walk([id], imports)].some((other) => zod.test(other))) chunks.set(id, first);
  }
  for (const [name, entry] of Object.entries(entries)) {
    const roots = [...all].filter((id) => entry.test(id));
    for (const id of walk(roots, down)) {
      // not a page itself: it waits for lazy parts, which need this chunk to have run
      const isPage = roots.includes(id) && graph.getModuleInfo(id)?.importers.every((importer) => importer.endsWith(".html"));
      if (!chunks.has(id) && !isPage && !barrels.test(id)) chunks.set(id, name);
    }
  }
  return chunks;
}

function walk(from: readonly string[], next: (id: string) => readonly string[]): ReadonlySet<string> {
  const seen = new Set(from);
  for (const id of seen) for (const other of next(id)) seen.add(other);
  return seen;
}
