import { getCompileCacheDir } from "node:module";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { locateProgram } from "@skein/agents/locate-program";

const starter = fileURLToPath(locateProgram(new URL("../bin/start-cached.mjs", import.meta.url)));

/** Arguments for `process.execPath` to run one of our programs with this process's compile cache. */
export function toProgramArgs(program: URL): string[] {
  const cache = getCompileCacheDir();
  // Node creates a folder per version and platform inside the given one
  return ["--disable-warning=ExperimentalWarning", starter, cache === undefined ? "" : dirname(cache), fileURLToPath(program)];
}
