import { readFileSync } from "node:fs";

/** The lock file must work with every registry: an address in it would send every install to the registry of its author. */
export function checkLockFile(file) {
  const count = readFileSync(file, "utf8").match(/"resolved": "http/g)?.length ?? 0;
  if (count === 0) return { code: 0, tail: "" };
  return { code: 1, tail: `package-lock.json names a registry ${count} times. Run \`npm install\` with the repository's .npmrc in force.` };
}
