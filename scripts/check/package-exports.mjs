import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/**
 * Exports that no package of the product imports, kept because packages/engine/README.md and packages/client/README.md document
 * them: both are also used on their own. Everything else without a caller is deleted, or exported only inside its package.
 */
const publicApi = {
  engine: [
    "CompressionStore",
    "createToolRegistry",
    "dropInvalidMessages",
    "fixToolPairs",
    "insertSystemPrompts",
    "PairRepair",
    "RequestMessage",
    "shippedToolProcessors",
    "validateMessages",
  ],
  contracts: ["agentOutputSchema", "toolActionSchema"],
  client: ["ClientOptions", "FollowedEvent", "FollowOptions", "RequestOptions", "RouteAnswer", "RouteInput", "RouteName"],
};

/** Exports that only tests and benchmarks of other packages import. Production code of their own package uses them, too. */
const forTests = {
  agents: ["createClaudeCodeDecoder"],
  contracts: ["messageBodySchema", "toolSummarySchema"],
  providers: ["toAnthropicRequest"],
};

const testFile = /\.(test|fixture)\.tsx?$|-fixture\.ts$|\/(testing|__fixtures__)\//;
const comments = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm;
const lists = /\b(?:import|export)\s+(?:type\s+)?(?:[\w$]+\s*,\s*)?\{([^}]*)\}(?:\s*from\s*["']([^"']+)["'])?/g;
const awaited = /\{([^{}]*)\}\s*=\s*await import\(\s*["']([^"']+)["']\s*\)/g;
const lazyTypes = /import\(\s*["'](@skein\/[^"']+)["']\s*\)\s*\.\s*(\w+)/g;
const declarations =
  /^\s*export\s+(?:declare\s+)?(?:async\s+)?(?:abstract\s+)?(?:function\*?|const|let|class|interface|type|enum)\s+([\w$]+)/gm;
const stars = /^\s*export\s+\*\s+from\s*["'](\.[^"']+)["']/gm;

/** The names in `a, type B, c as d`: as the module exports them (`from`), and as they are called here (`as`). */
function splitNames(list) {
  return list
    .split(",")
    .map((name) => name.trim().replace(/^type\s+/, ""))
    .filter((name) => name !== "")
    .map((name) => name.split(/\s+as\s+|\s*:\s*/))
    .map(([from, as = from]) => ({ from, as }));
}

/** Every name that a module exports, also through `export *`. `read` returns the text of a file. */
export function listExports(file, read) {
  const source = read(file).replace(comments, "");
  const names = [...source.matchAll(declarations)].map(([, name]) => name);
  for (const [statement, list] of source.matchAll(lists)) {
    if (statement.startsWith("export")) names.push(...splitNames(list).map(({ as }) => as));
  }
  for (const [, target] of source.matchAll(stars)) names.push(...listExports(path.join(path.dirname(file), target), read));
  return names;
}

/** Every import of another package's name in a source text, as `{ specifier, name }`. Namespace imports have the name `*`. */
export function listImportedNames(source) {
  const found = [];
  const text = source.replace(comments, "");
  for (const pattern of [lists, awaited]) {
    for (const [, list, specifier] of text.matchAll(pattern)) {
      if (specifier?.startsWith("@skein/")) found.push(...splitNames(list).map(({ from }) => ({ specifier, name: from })));
    }
  }
  for (const [, specifier, name] of text.matchAll(lazyTypes)) found.push({ specifier, name: name === "then" ? "*" : name });
  for (const [, specifier] of text.matchAll(/\*\s+as\s+\w+\s+from\s*["'](@skein\/[^"']+)["']/g)) found.push({ specifier, name: "*" });
  return found;
}

/** Exports of each `index.ts` that no production code of another package imports, and entries of the lists above that are stale. */
export function findUnusedExports(root) {
  const packages = readdirSync(path.join(root, "packages"));
  const read = (file) => readFileSync(file, "utf8");
  const used = { production: new Set(), tests: new Set() };
  for (const file of listSources(root)) {
    const relative = path.relative(root, file).split(path.sep).join("/");
    const [, owner] = relative.split("/");
    const isProduction = relative.startsWith("packages/") && owner !== "testkit" && !testFile.test(relative);
    for (const { specifier, name } of listImportedNames(read(file))) {
      if (specifier.split("/")[1] !== owner) used[isProduction ? "production" : "tests"].add(`${specifier} ${name}`);
    }
  }
  const readmes = ["engine", "client"].map((name) => read(path.join(root, "packages", name, "README.md"))).join("\n");
  return packages.flatMap((owner) => {
    const manifest = JSON.parse(read(path.join(root, "packages", owner, "package.json")));
    if (manifest.bin !== undefined) return []; // a program, not a library
    const documented = publicApi[owner] ?? [];
    const tested = forTests[owner] ?? [];
    const unused = Object.entries(manifest.exports ?? {})
      .filter(([, target]) => target.endsWith("/index.ts"))
      .flatMap(([entry, target]) => {
        const specifier = `@skein/${owner}${entry.slice(1)}`;
        // the testkit and the test entries of packages are called by tests
        const callers = owner === "testkit" || entry === "./testing" ? used.tests : used.production;
        return listExports(path.join(root, "packages", owner, target), read)
          .filter((name) => !callers.has(`${specifier} ${name}`) && !callers.has(`${specifier} *`))
          .map((name) => ({ specifier, name }));
      });
    const names = new Set(unused.map(({ name }) => name));
    return [
      ...unused
        .filter(({ name }) => ![...documented, ...tested].includes(name))
        .map(({ specifier, name }) => `${specifier} exports ${name}, which no package imports`),
      ...documented.filter((name) => !readmes.includes(name)).map((name) => `no README of a library documents ${name}`),
      ...tested.filter((name) => !used.tests.has(`@skein/${owner} ${name}`)).map((name) => `no test imports ${name} from @skein/${owner}`),
      ...[...documented, ...tested]
        .filter((name) => !names.has(name))
        .map((name) => `scripts/check/package-exports.mjs lists ${name}, which needs no exception`),
    ];
  });
}

function listSources(root) {
  return ["packages", "tests", "bench", "scripts"]
    .flatMap((folder) => readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && /\.(tsx?|mjs)$/.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => !/[\\/](node_modules|dist)[\\/]/.test(file));
}
