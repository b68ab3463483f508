// Runs one of our programs with Node's compile cache on from its first import: node start-cached.mjs <cache folder> <program>.
// Without it each start would compile everything anew and, from the sources, load the type stripper.
import { enableCompileCache } from "node:module";
import { pathToFileURL } from "node:url";
import { holdBuild } from "./hold-build.mjs";

const [cacheFolder, program] = process.argv.splice(2, 2);
if (cacheFolder) enableCompileCache(cacheFolder);
holdBuild();
await import(pathToFileURL(program).href);
