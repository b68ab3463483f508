import { enableCompileCache } from "node:module";
import { fileURLToPath } from "node:url";
import { holdBuild } from "@skein/host/hold-build";

const isSource = import.meta.url.endsWith(".mjs");
const cacheFolder = new URL(isSource ? "../../../node_modules/.cache/skein" : "./compile-cache", import.meta.url);

/**
 * Runs one command line (without program names) and returns its exit code.
 * JavaScript on purpose: a TypeScript file that is loaded before the compile cache is on makes every start from the sources load the
 * type stripper: 20 MB and a tenth of a second.
 */
export async function runCli(args) {
  enableCompileCache(fileURLToPath(cacheFolder));
  holdBuild();
  const { runProgram } = await import("../src/index.ts");
  return runProgram(args);
}
