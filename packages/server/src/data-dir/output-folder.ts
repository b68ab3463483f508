import { join } from "node:path";

/** Where agents store outputs that are too long to be shown: one folder per execution. */
export function outputFolder(home: string): string {
  return join(home, "spill");
}
