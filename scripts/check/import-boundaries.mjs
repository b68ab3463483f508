import { readdirSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import path from "node:path";
import { isTestFile, listImports, listSources } from "./source-files.mjs";

/** Which packages of the workspace a package may import. Siblings never import each other; tests may also use the testkit. */
export const allowedImports = {
  contracts: [],
  client: [],
  engine: ["contracts"],
  providers: ["contracts", "engine"],
  agents: ["contracts", "engine"],
  storage: ["contracts", "engine"],
  host: ["contracts", "engine", "agents"],
  forge: ["contracts", "engine"],
  server: ["contracts", "engine", "providers", "agents", "storage", "host", "forge"],
  web: ["contracts", "engine", "client"],
  cli: ["contracts", "engine", "client", "host", "server"],
  testkit: ["contracts", "engine"],
};

/** Packages that also run in a browser. */
const browserPackages = new Set(["contracts", "engine", "client", "web"]);

/**
 * What is wrong with one import, or undefined. `file` is relative to the repository: `packages/engine/src/a.ts`.
 * `manifests` has each package's package.json by its folder's name, and the repository's own as `root`.
 */
export function explainViolation({ file, specifier, manifests }) {
  const [, owner] = file.split("/");
  const isTest = isTestFile(file);
  if (specifier.startsWith(".")) {
    const target = path.posix.join(path.posix.dirname(file), specifier);
    return target.startsWith(`packages/${owner}/`) ? undefined : "relative imports must stay in their package";
  }
  if (specifier.startsWith("node:")) return browserPackages.has(owner) && !isTest ? "this package runs in a browser" : undefined;
  if (builtinModules.includes(specifier)) return `write node:${specifier}`;
  const name = specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
  const reason = name.startsWith("@skein/") ? explainInternal({ owner, name, specifier, isTest, manifests }) : undefined;
  if (reason !== undefined) return reason;
  return isDeclared({ owner, name, isTest, manifests }) ? undefined : `${name} is not declared in packages/${owner}/package.json`;
}

function explainInternal({ owner, name, specifier, isTest, manifests }) {
  const target = name.slice("@skein/".length);
  const allowed = allowedImports[owner] ?? [];
  if (target === "testkit" && !isTest) return "testkit is for tests";
  if (specifier === `${name}/testing` && !isTest) return `${specifier} is for tests`;
  if (target !== "testkit" && !allowed.includes(target)) return `${owner} may import ${allowed.join(", ") || "no package"}`;
  const entry = `.${specifier.slice(name.length)}`;
  return manifests[target]?.exports?.[entry] === undefined ? `${name} does not export ${entry}` : undefined;
}

function isDeclared({ owner, name, isTest, manifests }) {
  const { dependencies, peerDependencies, devDependencies } = manifests[owner] ?? {};
  const forTests = isTest ? { ...devDependencies, ...manifests.root?.devDependencies } : {};
  return name in { ...dependencies, ...peerDependencies, ...forTests };
}

/** All violations in the sources of the packages, one sentence each. A package without a rule is a violation, too. */
export function findViolations(root) {
  const readManifest = (...parts) => JSON.parse(readFileSync(path.join(root, ...parts, "package.json"), "utf8"));
  const names = readdirSync(path.join(root, "packages"));
  const manifests = { root: readManifest(), ...Object.fromEntries(names.map((name) => [name, readManifest("packages", name)])) };
  const withoutRule = names.filter((name) => allowedImports[name] === undefined).map((name) => `packages/${name} has no rule`);
  const violations = listSources(root).flatMap(({ file, text }) =>
    listImports(text).flatMap((specifier) => {
      const reason = explainViolation({ file, specifier, manifests });
      return reason === undefined ? [] : [`${file} imports ${specifier}: ${reason}`];
    }),
  );
  return [...withoutRule, ...violations];
}
