import { readFileSync } from "node:fs";
import path from "node:path";

/** Packages whose entries are read as an API page: the vocabulary, the rules, and the ports of agents and hosts. */
const documented = ["agents", "contracts", "engine", "host"];

const declaration =
  /^(export\s+)?(?:declare\s+)?(?:async\s+)?(?:abstract\s+)?(?:function\*?|const|let|class|interface|type|enum)\s+([\w$]+)(.*)$/;
const reExports = /^export\s+(?:type\s+)?(?:\{([^}]*)\}|\*)\s*from\s*["'](\.[^"']+)["']/gm;
const inferred = /^\s*=\s*(?:z\.(?:infer|input|output)|TextOf)<\s*typeof\s+([\w$]+)\s*>/;

/** The declarations of a module that it exports. The type of a schema counts as documented if the schema is. */
export function listDeclarations(source) {
  const lines = source.split("\n");
  const all = lines.flatMap((line, at) => {
    const [, isExported, name, rest] = declaration.exec(line) ?? [];
    if (name === undefined) return [];
    return [{ name, line: at + 1, isExported, schema: inferred.exec(rest)?.[1], isDocumented: hasDocComment(lines, at) }];
  });
  const documented = new Set(all.filter(({ isDocumented }) => isDocumented).map(({ name }) => name));
  return all
    .filter(({ isExported }) => isExported)
    .map(({ name, line, schema, isDocumented }) => ({ name, line, isDocumented: isDocumented || documented.has(schema) }));
}

/** Whether a doc comment ends on the line above. */
function hasDocComment(lines, at) {
  if (!lines[at - 1]?.trimEnd().endsWith("*/")) return false;
  const start = lines.findLastIndex((line, index) => index < at && line.includes("/*"));
  return lines[start]?.trimStart().startsWith("/**") ?? false;
}

/** The exports of a module without a doc comment, also of those that it re-exports. `read` returns the text of a file. */
export function findUndocumentedOf(entry, read) {
  const missing = new Map();
  const visit = (file, names) => {
    const source = read(file);
    for (const { name, line, isDocumented } of listDeclarations(source)) {
      if (!isDocumented && (names === undefined || names.has(name))) missing.set(`${file}:${line}`, name);
    }
    for (const [, list, target] of source.matchAll(reExports)) {
      const listed = list
        ?.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "")
        .split(",")
        .map(
          (name) =>
            name
              .trim()
              .replace(/^type\s+/, "")
              .split(/\s+as\s+/)[0],
        )
        .filter((name) => name !== "");
      visit(path.join(path.dirname(file), target), listed === undefined ? names : new Set(listed));
    }
  };
  visit(entry, undefined);
  return [...missing].map(([place, name]) => ({ place, name }));
}

/** One line for each export that has no doc comment. */
export function findUndocumented(root) {
  const read = (file) => readFileSync(file, "utf8");
  const places = new Map();
  for (const owner of documented) {
    const { exports } = JSON.parse(read(path.join(root, "packages", owner, "package.json")));
    for (const [entry, target] of Object.entries(exports)) {
      if (entry === "./testing" || !target.endsWith(".ts")) continue;
      for (const { place, name } of findUndocumentedOf(path.join(root, "packages", owner, target), read)) places.set(place, name);
    }
  }
  return [...places].map(([place, name]) => `${path.relative(root, place)}: ${name} has no doc comment`).sort();
}
