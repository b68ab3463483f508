import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";

/**
 * The folder of the built programs: this module's own when it is part of a build. Sources that run as they are start each other's
 * sources, unless `SKEIN_PROGRAMS` names a build of them, as it does in tests: built programs start in a third of the time.
 */
const folder = import.meta.url.endsWith(".js") ? new URL(".", import.meta.url) : toFolder(process.env.SKEIN_PROGRAMS);

/**
 * Where a program, thread or module that is not imported statically can be loaded from. A build keeps all of its files in one
 * folder, and each such file under the name of its source.
 * @param source the URL of the source, in the form `new URL("./runner-program.ts", import.meta.url)`
 */
export function locateProgram(source: URL): URL {
  const name = source.pathname.slice(source.pathname.lastIndexOf("/") + 1);
  return locateFolder(source, name.replace(/\.m?[jt]s$/, ".js"));
}

/** The same for a folder, which a build keeps as `name`. */
export function locateFolder(source: URL, name: string): URL {
  return folder === undefined ? source : new URL(name, folder);
}

/** Loads a package at once, for code that cannot wait for `import()`. A build keeps it in a file of its own, named after it. */
export function requirePackage(name: string): unknown {
  const require = createRequire(import.meta.url);
  return require(folder === undefined ? name : fileURLToPath(new URL(`${name}.js`, folder)));
}

function toFolder(path: string | undefined): URL | undefined {
  return path === undefined || path === "" ? undefined : pathToFileURL(`${path}/`);
}
