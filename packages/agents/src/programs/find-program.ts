import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";

/** The full path of a program, by the rules of a shell but without one; undefined when there is none that may be run. */
export function findProgram(name: string, searchPath: string | undefined): string | undefined {
  if (name.includes("/")) return isAbsolute(name) && isRunnable(name) ? name : undefined;
  // a relative entry would be looked up in whatever folder the agent works in
  const folders = (searchPath ?? "").split(delimiter).filter(isAbsolute);
  return folders.map((folder) => join(folder, name)).find(isRunnable);
}

function isRunnable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
