import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/**
 * The sources of all packages: their paths relative to the repository (`packages/engine/src/a.ts`), with forward slashes.
 * Recordings in `__fixtures__` are left out.
 */
export function listSources(root) {
  return readdirSync(path.join(root, "packages")).flatMap((name) =>
    ["src", "bin"].flatMap((folder) => {
      const inside = path.join(root, "packages", name, folder);
      return listFiles(inside)
        .filter((file) => /\.(tsx?|mjs)$/.test(file) && !file.split(path.sep).includes("__fixtures__"))
        .map((file) => path.posix.join("packages", name, folder, ...file.split(path.sep)))
        .map((file) => ({ file, text: readFileSync(path.join(root, file), "utf8") }));
    }),
  );
}

function listFiles(folder) {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
      .toSorted();
  } catch (error) {
    if (error.code === "ENOENT") return [];
    throw error;
  }
}

/** Tests, and code that only tests use. */
export function isTestFile(file) {
  return /\.(test|fixture)\.tsx?$/.test(file) || file.split("/").some((folder) => folder === "testing" || folder === "__fixtures__");
}

const importPatterns = [
  /^\s*(?:import|export)\s(type\s)?(?:[^"'`;]*?\sfrom\s*)?["']([^"']+)["']/gm,
  /^\s*import()\s*["']([^"']+)["']/gm,
  /\bimport\(()\s*["']([^"']+)["']\s*\)/g,
];

/**
 * The imports and re-exports of a source text. `isType`: `import type` or `export type`. Comments, and strings that only look like an
 * import, are skipped.
 */
export function listImportStatements(text) {
  const code = text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");
  return importPatterns.flatMap((pattern) =>
    [...code.matchAll(pattern)].map(([, type, specifier]) => ({ specifier, isType: Boolean(type) })),
  );
}

/** What a source text imports and re-exports, types included. */
export function listImports(text) {
  return [...new Set(listImportStatements(text).map(({ specifier }) => specifier))];
}
