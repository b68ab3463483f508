import { enableCompileCache } from "node:module";
import { fileURLToPath } from "node:url";

/**
 * Runs one command line (without program names) and gives its exit code.
 * JavaScript on purpose: one TypeScript file that is loaded before the cache is on costs every start the whole type
 * stripper, 20 MB and a tenth of a second.
 */
export async function runCli(args) {
  enableCompileCache(fileURLToPath(new URL("../../../node_modules/.cache/skein", import.meta.url)));
  const { runProgram } = await import("../src/index.ts");
  return runProgram(args);
}
