import path from "node:path";
import { fileURLToPath } from "node:url";

/** The top folder of this repository. */
export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");

/** Git-ignored working space of these scripts: locks, half-finished builds. */
export const workDirectory = path.join(root, ".skein");

export const inRepository = (...parts) => path.join(root, ...parts);
