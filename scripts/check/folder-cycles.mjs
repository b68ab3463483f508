import path from "node:path";
import { isTestFile, listImports, listSources } from "./source-files.mjs";

/**
 * Cycles between the folders of a package, one sentence each, with the imports that form them. A folder is one of `src`, with all
 * its contents; a file directly in `src` counts as its own folder. Imports of types count, those of tests do not.
 * `sources`: `{ file, text }`, with paths relative to the repository.
 */
export function findFolderCycles(sources) {
  const graphs = new Map();
  for (const { file, text } of sources) {
    const [, name, base] = file.split("/");
    if (base !== "src" || isTestFile(file)) continue;
    if (!graphs.has(name)) graphs.set(name, new Map());
    addEdges(graphs.get(name), file, text);
  }
  return [...graphs].flatMap(([name, graph]) => listCycles(graph).map((cycle) => `packages/${name}: ${describe(cycle, graph)}`));
}

/** The cycles of this repository's packages. */
export function findCyclesOf(root) {
  return findFolderCycles(listSources(root));
}

function addEdges(graph, file, text) {
  const from = toFolder(file);
  for (const specifier of listImports(text)) {
    if (!specifier.startsWith(".")) continue;
    const target = path.posix.join(path.posix.dirname(file), specifier);
    const to = toFolder(target);
    if (to === undefined || to === from) continue;
    if (!graph.has(from)) graph.set(from, new Map());
    if (!graph.get(from).has(to)) graph.get(from).set(to, `${inSrc(file)} imports ${inSrc(target)}`);
  }
}

/** Undefined outside `src`. */
function toFolder(file) {
  const [, , base, folder] = file.split("/");
  return base === "src" ? folder : undefined;
}

const inSrc = (file) => file.split("/").slice(3).join("/");

/** A shortest cycle through each folder that is part of one; each set of folders is reported once. */
function listCycles(graph) {
  const seen = new Set();
  return [...graph.keys()].toSorted().flatMap((start) => {
    const cycle = findShortest(graph, start);
    const key = cycle?.toSorted().join();
    if (cycle === undefined || seen.has(key)) return [];
    seen.add(key);
    return [cycle];
  });
}

/** The folders of a shortest path from `start` back to itself. */
function findShortest(graph, start) {
  const previous = new Map();
  const waiting = [start];
  for (let folder = waiting.shift(); folder !== undefined; folder = waiting.shift()) {
    for (const next of graph.get(folder)?.keys() ?? []) {
      if (next === start) {
        const cycle = [folder];
        while (cycle[0] !== start) cycle.unshift(previous.get(cycle[0]));
        return cycle;
      }
      if (previous.has(next)) continue;
      previous.set(next, folder);
      waiting.push(next);
    }
  }
  return undefined;
}

function describe(cycle, graph) {
  const steps = cycle.map((folder, index) => graph.get(folder).get(cycle[(index + 1) % cycle.length]));
  return `${[...cycle, cycle[0]].join(" → ")} (${steps.join("; ")})`;
}
