import { rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/**
 * Marks the build that this process runs from as used until the process ends: what it loads later must be of the same build, and
 * builds that nobody uses are deleted. Does nothing where the sources run as they are, or where a build is never replaced.
 */
export function holdBuild() {
  if (import.meta.url.endsWith(".mjs")) return;
  const mark = fileURLToPath(new URL(`./in-use/${process.pid}`, import.meta.url));
  try {
    writeFileSync(mark, "");
  } catch {
    return; // no folder for marks, or a disk that is full: the build's age protects it for a while
  }
  process.once("exit", () => rmSync(mark, { force: true }));
}
