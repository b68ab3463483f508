import { join } from "node:path";

/** Where agents keep what is too long to be shown: a folder for each execution. */
export function outputFolder(home: string): string {
  return join(home, "spill");
}
