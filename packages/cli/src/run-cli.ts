import { enableCompileCache } from "node:module";
import { fileURLToPath } from "node:url";

/** Runs one command line (without program names) and gives its exit code. */
export async function runCli(args: string[]): Promise<number> {
  // Every import from here on is read without parsing and type stripping from its second start on.
  enableCompileCache(fileURLToPath(new URL("../../../node_modules/.cache/skein", import.meta.url)));
  const { runProgram } = await import("./program.ts");
  return runProgram(args);
}
