import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";

const skipped = new Set(["node_modules", "dist", "__fixtures__"]);
const isTest = (name) => /\.test\.tsx?$/.test(name);

/** A hash of names and contents of all files in `paths` that can end up in a build. */
export function contentHash(paths, base) {
  const hash = createHash("sha256");
  for (const file of paths.flatMap(listFiles)) {
    const content = readFileSync(file);
    // The length keeps "a" + "bc" and "ab" + "c" apart.
    hash.update(`${path.relative(base, file)}\0${content.length}\0`).update(content);
  }
  return hash.digest("hex");
}

function listFiles(start) {
  const stats = statSync(start, { throwIfNoEntry: false });
  if (stats === undefined) return [];
  if (!stats.isDirectory()) return [start];
  return readdirSync(start, { withFileTypes: true })
    .filter((entry) => !skipped.has(entry.name) && !isTest(entry.name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const file = path.join(start, entry.name);
      return entry.isDirectory() ? listFiles(file) : entry.isFile() ? [file] : [];
    });
}
