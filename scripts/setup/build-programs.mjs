import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { rolldown } from "rolldown";
import { inRepository, root } from "./repository.mjs";
import { listLicenses } from "./third-party-licenses.mjs";

/** `locateProgram(new URL("./runner-program.ts", import.meta.url))`, and `requirePackage("unbash")`. */
const locatedPattern = /\blocateProgram\(\s*new URL\("([^"]+)", import\.meta\.url\)\s*\)/g;
const requiredPattern = /\brequirePackage\("([^"]+)"\)/g;

/** Every program, thread and package that the sources locate at run time becomes its own file, under the name that they look for. */
const locatedPrograms = {
  name: "located-programs",
  transform: {
    filter: { id: /packages[/\\][^/\\]+[/\\]src[/\\]/, code: /\b(?:locateProgram|requirePackage)\(/ },
    async handler(code, id) {
      for (const [, relative] of code.matchAll(locatedPattern)) {
        const source = fileURLToPath(new URL(relative, pathToFileURL(id)));
        this.emitFile({ type: "chunk", id: source, fileName: `${path.parse(source).name}.js` });
      }
      for (const [, name] of code.matchAll(requiredPattern))
        this.emitFile({ type: "chunk", id: name, importer: id, fileName: `${name}.js` });
    },
  },
};

/**
 * Replaces the characters that are not Latin-1 by escapes. V8 keeps the text of each file in memory, with two bytes for each
 * character as soon as one of them needs two. Done to the written files: rolldown prints string literals without escapes.
 */
function escapeWideCharacters(file) {
  const code = readFileSync(file, "utf8");
  if (/String\.raw`[^`]*[\u0100-\uffff]/.test(code)) throw new Error("An escape in a String.raw text would change it.");
  writeFileSync(
    file,
    code.replace(/[\u0100-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`),
  );
}

/**
 * Bundles all programs that run in Node into one flat folder. Lazy imports stay lazy: they, and what several programs share, are
 * chunks. Outside the folder only Node and the web UI, to which it links, are needed.
 */
async function buildPrograms(folder) {
  const bundle = await rolldown({
    input: { skein: inRepository("packages/cli/bin/skein.mjs"), "run-cli": inRepository("packages/cli/bin/run-cli.mjs") },
    cwd: root,
    platform: "node",
    external: ["@lydell/node-pty"], // it has a binary for each system: see `installed-skein.mjs`
    transform: { target: "node22.18" }, // `using` needs Node 24
    plugins: [locatedPrograms],
    // Otherwise an import that cannot be resolved, or a cycle that is broken in the wrong place, would only fail at run time.
    onLog: (level, log) => {
      if (level === "warn") throw new Error(log.message);
    },
  });
  const { output } = await bundle.write({
    dir: folder,
    format: "esm",
    entryFileNames: "[name].js",
    chunkFileNames: "[name]-[hash].js",
    sourcemap: true,
    comments: false, // a sixth of the code, which would be read at each start and kept in memory
  });
  await bundle.close();
  for (const { type, fileName } of output) if (type === "chunk") escapeWideCharacters(path.join(folder, fileName));
  writeFileSync(path.join(folder, "package.json"), `${JSON.stringify({ type: "module" })}\n`);
  writeFileSync(path.join(folder, "THIRD-PARTY-LICENSES.txt"), listLicenses(output.flatMap(({ moduleIds = [] }) => moduleIds)));
  mkdirSync(path.join(folder, "in-use"));
  cpSync(inRepository("skills"), path.join(folder, "skills"), { recursive: true });
  symlinkSync(inRepository("packages/web/dist"), path.join(folder, "web"), "junction");
}

await buildPrograms(path.resolve(process.argv[2]));
