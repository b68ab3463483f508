import { builtinModules } from "node:module";
import { dirname, join, relative } from "node:path";

/** Which packages of the workspace a package may import. Siblings never import each other; `testkit` is for tests alone. */
export const allowedImports: Readonly<Record<string, readonly string[]>> = {
  contracts: [],
  engine: ["contracts"],
  providers: ["contracts", "engine"],
  agents: ["contracts", "engine"],
  storage: ["contracts", "engine"],
  host: ["contracts", "engine", "agents"],
  server: ["contracts", "engine", "providers", "agents", "storage", "host"],
  cli: ["contracts", "engine", "providers", "agents", "storage", "host", "server"],
  web: ["contracts", "engine"],
  testkit: ["contracts", "engine"],
};

const browserPackages = new Set(["contracts", "engine", "web"]);
const nodeModules = new Set(builtinModules);

export interface SourceFile {
  /** Name of its package's folder. */
  packageName: string;
  /** Below the package's folder, with forward slashes: `src/index.ts`. */
  path: string;
  text: string;
}

export interface Manifest {
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

/** What a file imports and re-exports, types included; comments and strings that only look like an import are skipped. */
export function listImports(text: string): string[] {
  const code = text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");
  const patterns = [
    /^\s*(?:import|export)\s(?:[^"'`;]*?\sfrom\s*)?["']([^"']+)["']/gm,
    /^\s*import\s*["']([^"']+)["']/gm,
    /^\s*\}\s*from\s*["']([^"']+)["']/gm,
    /\bimport\(\s*["']([^"']+)["']\s*\)/g,
  ];
  return [...new Set(patterns.flatMap((pattern) => [...code.matchAll(pattern)].map((match) => match[1] ?? "")))];
}

export function isTestFile(path: string): boolean {
  return /\.(test|fixture)\.tsx?$/.test(path) || path.split("/").some((folder) => folder === "testing" || folder === "__fixtures__");
}

/** One sentence for each import that the rules forbid. */
export function findViolations(file: SourceFile, manifests: { own: Manifest; root: Manifest }): string[] {
  return listImports(file.text).flatMap((specifier) => {
    const reason = whyForbidden(file, specifier, manifests);
    return reason === undefined ? [] : [`packages/${file.packageName}/${file.path} imports ${specifier}: ${reason}`];
  });
}

function whyForbidden(file: SourceFile, specifier: string, { own, root }: { own: Manifest; root: Manifest }): string | undefined {
  const isTest = isTestFile(file.path);
  if (specifier.startsWith(".")) {
    const target = relative(".", join(dirname(file.path), specifier));
    return target.startsWith("..") ? "relative imports must stay in their package" : undefined;
  }
  if (specifier.startsWith("node:")) {
    return browserPackages.has(file.packageName) && !isTest ? "this package runs in a browser" : undefined;
  }
  if (nodeModules.has(specifier)) return `write node:${specifier}`;
  const name = specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
  const declared = { ...own.dependencies, ...(isTest ? { ...own.devDependencies, ...root.devDependencies } : {}) };
  if (name.startsWith("@skein/")) {
    const target = name.slice("@skein/".length);
    const allowed = allowedImports[file.packageName] ?? [];
    if (target === "testkit" && !isTest) return "testkit is for tests";
    if (target !== "testkit" && !allowed.includes(target)) return `${file.packageName} may import ${allowed.join(", ") || "no package"}`;
  }
  return name in declared ? undefined : `${name} is not declared in packages/${file.packageName}/package.json`;
}
