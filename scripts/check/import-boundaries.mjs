import { readdirSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import path from "node:path";

/** Which packages a package may import; tests may use the testkit beside them. */
const allowed = {
  contracts: [],
  engine: ["contracts"],
  providers: ["contracts", "engine"],
  agents: ["contracts", "engine"],
  storage: ["contracts", "engine"],
  server: ["contracts", "engine", "providers", "agents", "storage"],
  web: ["contracts", "engine"],
  cli: ["contracts", "engine", "server"],
  testkit: ["contracts", "engine", "providers", "agents", "storage", "server"],
};

/** Packages that also run in a browser. */
const browserSafe = new Set(["contracts", "engine", "web"]);

const importPattern =
  /(?:^|[\s;])(?:import|export)\s[^"'`;]*?from\s*["']([^"']+)["']|(?:^|[\s;])import\s*["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']/gm;

/** Every import of one source text. */
export function listImports(source) {
  return [...source.matchAll(importPattern)].map((match) => match[1] ?? match[2] ?? match[3]);
}

/** What is wrong with one import, or undefined. `file` is relative to the repository: `packages/engine/src/a.ts`. */
export function explainViolation({ file, specifier, dependencies }) {
  const [, owner] = file.split("/");
  const isTest = /\.test\.tsx?$/.test(file) || owner === "testkit";
  if (specifier.startsWith(".")) {
    const target = path.posix.join(path.posix.dirname(file), specifier);
    return target.startsWith(`packages/${owner}/`) ? undefined : `reaches into another package by path: ${specifier}`;
  }
  if (specifier.startsWith("@skein/")) {
    const [, target, ...inner] = specifier.split("/");
    if (inner.length > 0) return `imports an inner file of a package: ${specifier}`;
    if (target === "testkit") return isTest ? undefined : "imports the testkit outside of a test";
    if (target === owner) return "imports its own package by name";
    return allowed[owner]?.includes(target) ? undefined : `packages/${owner} must not import @skein/${target}`;
  }
  const isBuiltin = specifier.startsWith("node:") || builtinModules.includes(specifier);
  if (isBuiltin) return browserSafe.has(owner) && !isTest ? `runs in a browser and imports ${specifier}` : undefined;
  if (isTest) return undefined;
  const name = specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
  return dependencies.includes(name) ? undefined : `imports ${name}, which packages/${owner}/package.json does not list`;
}

/** All violations under `<root>/packages/<name>/src`, as `file: what is wrong`. */
export function findViolations(root) {
  return Object.keys(allowed).flatMap((owner) => {
    const directory = path.join(root, "packages", owner);
    const manifest = JSON.parse(readFileSync(path.join(directory, "package.json"), "utf8"));
    const dependencies = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });
    return listSources(path.join(directory, "src")).flatMap((absolute) => {
      const file = path.relative(root, absolute).split(path.sep).join("/");
      return listImports(readFileSync(absolute, "utf8"))
        .map((specifier) => explainViolation({ file, specifier, dependencies }))
        .filter((violation) => violation !== undefined)
        .map((violation) => `${file}: ${violation}`);
    });
  });
}

function listSources(directory) {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => !file.includes("__fixtures__"));
}
