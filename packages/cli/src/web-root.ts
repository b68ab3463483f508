import { existsSync } from "node:fs";
import path from "node:path";
import { defaultWebRoot } from "@skein/server";

/** The built web UI; null when it has not been built. */
export function findWebRoot(): string | null {
  return existsSync(path.join(defaultWebRoot, "index.html")) ? defaultWebRoot : null;
}
