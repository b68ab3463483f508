import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";

/** The absolute path of a program, by the rules of a shell but without one; undefined if there is no executable one. */
export function findProgram(name: string, searchPath: string | undefined): string | undefined {
  if (name.includes("/")) return isAbsolute(name) && isRunnable(name) ? name : undefined;
  // a relative entry would be resolved in the agent's working folder
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
