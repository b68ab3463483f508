import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { rolldown } from "rolldown";
import { SetupError } from "./fail.mjs";
import { packFolder } from "./pack-folder.mjs";
import { inRepository, root } from "./repository.mjs";
import { runCommand } from "./run-command.mjs";

/** Names of functions stay, for stack traces. */
const minify = { compress: true, mangle: { toplevel: false, keepNames: true }, codegen: true };

const libraries = {
  engine: {
    entry: "standalone",
    readme: "PACKAGE.md",
    documents: ["API.md"],
    description: "Repairs, converts and shortens the message histories of AI agents, for every provider",
  },
  client: {
    entry: "index",
    readme: "README.md",
    documents: [],
    description: "A typed client of Skein, the workbench for AI coding agents",
  },
};

/** Packs what the entry of a package exports as the npm package `@skein/<name>`, without dependencies. Returns the file. */
export async function packLibrary(name, folder) {
  const library = libraries[name];
  const sources = `packages/${name}/src`;
  const entry = `${sources}/${library.entry}.ts`;
  const assembled = path.join(folder, name);
  rmSync(assembled, { recursive: true, force: true });
  mkdirSync(assembled, { recursive: true });
  const bundle = await rolldown({ input: { index: inRepository(entry) }, cwd: root, platform: "neutral" });
  await bundle.write({ dir: assembled, format: "esm", entryFileNames: "[name].js", minify });
  await bundle.close();
  await writeTypes(path.join(assembled, "types"), { sources, entry });
  cpSync(inRepository(`packages/${name}/${library.readme}`), path.join(assembled, "README.md"));
  for (const document of library.documents) cpSync(inRepository(`packages/${name}/${document}`), path.join(assembled, document));
  cpSync(inRepository("LICENSE"), path.join(assembled, "LICENSE"));
  writeFileSync(path.join(assembled, "package.json"), `${JSON.stringify(describePackage(name), undefined, 2)}\n`);
  return packFolder(assembled, folder);
}

function describePackage(folder) {
  const { name, version, license } = JSON.parse(readFileSync(inRepository(`packages/${folder}/package.json`), "utf8"));
  const { description, entry, documents } = libraries[folder];
  return {
    name,
    version,
    description,
    license,
    type: "module",
    sideEffects: false,
    exports: { ".": { types: `./types/${entry}.d.ts`, default: "./index.js" } },
    files: ["index.js", "types", ...documents],
  };
}

/** Declarations of the entry and of what it names, with the file names that the compiler of a user expects. */
async function writeTypes(folder, { sources, entry }) {
  const options = ["--noEmit", "false", "--emitDeclarationOnly", "--declaration", "--outDir", folder, "--rootDir", sources];
  const compiler = [
    ...["--ignoreConfig", "--target", "es2024", "--module", "nodenext", "--strict", "--exactOptionalPropertyTypes", "--skipLibCheck"],
    ...["--allowImportingTsExtensions", "--rewriteRelativeImportExtensions"],
  ];
  const args = [inRepository("node_modules/typescript/bin/tsc"), ...options, ...compiler, entry];
  const { code, tail } = await runCommand(process.execPath, args, { cwd: root, output: "keep" });
  if (code !== 0) throw new SetupError(`The declarations of ${entry} could not be made:\n${tail}`);
  keepNamed(folder, `${path.basename(entry, ".ts")}.d.ts`);
}

/** Deletes the declarations that `first` does not lead to. */
function keepNamed(folder, first) {
  const kept = new Set();
  const visit = (name) => {
    if (kept.has(name)) return;
    kept.add(name);
    const text = readFileSync(path.join(folder, name), "utf8");
    for (const [, specifier] of text.matchAll(/from "(\.[^"]+)"/g))
      visit(path.join(path.dirname(name), specifier.replace(/\.[jt]s$/, ".d.ts")));
  };
  visit(first);
  for (const name of readdirSync(folder, { recursive: true })) {
    if (name.endsWith(".d.ts") && !kept.has(name)) rmSync(path.join(folder, name));
  }
}
