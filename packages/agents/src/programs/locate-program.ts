import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";

/**
 * The folder of the built programs: this module's own if it is part of a build. Unbuilt sources start each other's sources, unless
 * `SKEIN_PROGRAMS` names a build of them, as in tests: built programs start in a third of the time.
 */
const folder = import.meta.url.endsWith(".js") ? new URL(".", import.meta.url) : toFolder(process.env.SKEIN_PROGRAMS);

/**
 * The URL from which a program, thread or module that is not imported statically can be loaded. A build keeps all of its files in one
 * folder, under the names of their sources.
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

/** Loads a package synchronously, for code that cannot await `import()`. A build keeps it in its own file, named after it. */
export function requirePackage(name: string): unknown {
  const require = createRequire(import.meta.url);
  return require(folder === undefined ? name : fileURLToPath(new URL(`${name}.js`, folder)));
}

function toFolder(path: string | undefined): URL | undefined {
  return path === undefined || path === "" ? undefined : pathToFileURL(`${path}/`);
}
