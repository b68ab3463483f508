// Runs a TypeScript program with Node's compile cache on from its first import: node start-cached.mjs <cache folder> <program>.
// Without it each start would load the type stripper, which costs more than everything else the program does.
import { enableCompileCache } from "node:module";
import { pathToFileURL } from "node:url";

const [cacheFolder, program] = process.argv.splice(2, 2);
if (cacheFolder) enableCompileCache(cacheFolder);
await import(pathToFileURL(program).href);
