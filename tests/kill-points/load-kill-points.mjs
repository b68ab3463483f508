// Turns the compile cache on before the first TypeScript file: without it, each of the programs loads the type stripper.
import { enableCompileCache } from "node:module";
import { fileURLToPath } from "node:url";

enableCompileCache(fileURLToPath(new URL("../../node_modules/.cache/skein", import.meta.url)));
await import("./kill-point-program.ts");
