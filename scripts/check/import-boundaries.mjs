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
  host: ["contracts", "engine", "agents"],
  server: ["contracts", "engine", "providers", "agents", "storage", "host"],
  web: ["contracts", "engine"],
  cli: ["contracts", "engine", "host", "server"],
  testkit: ["contracts", "engine", "providers", "agents", "storage", "server"],
};

/** Packages that also run in a browser. */
const browserSafe = new Set(["contracts", "engine", "web"]);

const importPattern =
  /^\s*(?:import|export)\s[^"'`;]*?from\s*["']([^"']+)["']|^\s*import\s*["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']/gm;

/** Every import of one source text. */
export function listImports(source) {
  return [...source.matchAll(importPattern)].map((match) => match[1] ?? match[2] ?? match[3]);
}

/**
 * What is wrong with one import, or undefined. `file` is relative to the repository: `packages/engine/src/a.ts`.
 * `manifests` holds each package's package.json by its folder's name.
 */
export function explainViolation({ file, specifier, manifests }) {
  const [, owner] = file.split("/");
  const isTest = /\.(test|fixture)\.tsx?$|\/testing\//.test(file) || owner === "testkit";
  if (specifier.startsWith(".")) {
    const target = path.posix.join(path.posix.dirname(file), specifier);
    return target.startsWith(`packages/${owner}/`) ? undefined : `reaches into another package by path: ${specifier}`;
  }
  if (specifier.startsWith("@skein/")) {
    const [, target, ...inner] = specifier.split("/");
    const entry = inner.length === 0 ? "." : `./${inner.join("/")}`;
    if (manifests[target]?.exports?.[entry] === undefined) return `imports what its package does not export: ${specifier}`;
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
  const { dependencies = {}, peerDependencies = {} } = manifests[owner];
  return name in dependencies || name in peerDependencies
    ? undefined
    : `imports ${name}, which packages/${owner}/package.json does not list`;
}

/** All violations under `<root>/packages/<name>/src`, as `file: what is wrong`. */
export function findViolations(root) {
  const owners = Object.keys(allowed);
  const folder = (owner) => path.join(root, "packages", owner);
  const manifests = Object.fromEntries(
    owners.map((owner) => [owner, JSON.parse(readFileSync(path.join(folder(owner), "package.json"), "utf8"))]),
  );
  return owners
    .flatMap((owner) => listSources(path.join(folder(owner), "src")))
    .flatMap((absolute) => {
      const file = path.relative(root, absolute).split(path.sep).join("/");
      return listImports(readFileSync(absolute, "utf8"))
        .map((specifier) => explainViolation({ file, specifier, manifests }))
        .filter((violation) => violation !== undefined)
        .map((violation) => `${file}: ${violation}`);
    });
}

function listSources(directory) {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => !file.includes("__fixtures__"));
}
