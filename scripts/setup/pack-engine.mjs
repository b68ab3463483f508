import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { rolldown } from "rolldown";
import { SetupError } from "./fail.mjs";
import { packFolder } from "./pack-folder.mjs";
import { inRepository, root } from "./repository.mjs";
import { runCommand } from "./run-command.mjs";

const entry = "packages/engine/src/standalone.ts";

/** Packs what `packages/engine/src/standalone.ts` exports as the npm package `@skein/engine`, without dependencies. Returns the file. */
export async function packEngine(folder) {
  const assembled = path.join(folder, "engine");
  rmSync(assembled, { recursive: true, force: true });
  mkdirSync(assembled, { recursive: true });
  const bundle = await rolldown({ input: { index: inRepository(entry) }, cwd: root, platform: "neutral" });
  await bundle.write({ dir: assembled, format: "esm", entryFileNames: "[name].js" });
  await bundle.close();
  await writeTypes(path.join(assembled, "types"));
  cpSync(inRepository("packages/engine/PACKAGE.md"), path.join(assembled, "README.md"));
  cpSync(inRepository("LICENSE"), path.join(assembled, "LICENSE"));
  writeFileSync(path.join(assembled, "package.json"), `${JSON.stringify(describePackage(), undefined, 2)}\n`);
  return packFolder(assembled, folder);
}

function describePackage() {
  const { name, version, license } = JSON.parse(readFileSync(inRepository("packages/engine/package.json"), "utf8"));
  return {
    name,
    version,
    description: "Repairs the message histories of AI agents: every tool call with its result, for every provider",
    license,
    type: "module",
    sideEffects: false,
    exports: { ".": { types: "./types/standalone.d.ts", default: "./index.js" } },
    files: ["index.js", "types"],
  };
}

/** Declarations of the entry and of what it names, with the file names that the compiler of a user expects. */
async function writeTypes(folder) {
  const options = ["--noEmit", "false", "--emitDeclarationOnly", "--declaration", "--outDir", folder, "--rootDir", "packages/engine/src"];
  const compiler = [
    ...["--ignoreConfig", "--target", "es2024", "--module", "nodenext", "--strict", "--exactOptionalPropertyTypes", "--skipLibCheck"],
    ...["--allowImportingTsExtensions", "--rewriteRelativeImportExtensions"],
  ];
  const args = [inRepository("node_modules/typescript/bin/tsc"), ...options, ...compiler, entry];
  const { code, tail } = await runCommand(process.execPath, args, { cwd: root, output: "keep" });
  if (code !== 0) throw new SetupError(`The declarations of the engine could not be made:\n${tail}`);
  keepNamed(folder, "standalone.d.ts");
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
