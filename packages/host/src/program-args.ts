import { getCompileCacheDir } from "node:module";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { locateProgram } from "@skein/agents/locate-program";

const starter = fileURLToPath(locateProgram(new URL("../bin/start-cached.mjs", import.meta.url)));

/** Arguments for `process.execPath` that run one of our programs, sharing this process's compile cache. */
export function toProgramArgs(program: URL): string[] {
  const cache = getCompileCacheDir();
  // Node keeps a folder per version and machine inside the one it was given
  return ["--disable-warning=ExperimentalWarning", starter, cache === undefined ? "" : dirname(cache), fileURLToPath(program)];
}
