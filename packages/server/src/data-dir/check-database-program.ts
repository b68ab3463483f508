/*
 * Reads a whole database and prints its problems as a JSON array. Runs as a separate low-priority process: a large database takes
 * seconds.
 */
import { setPriority } from "node:os";
import { checkDatabase } from "@skein/storage";

try {
  setPriority(19);
} catch {
  // not supported by every system
}
const [file = ""] = process.argv.slice(-1);
console.log(JSON.stringify(checkDatabase(file)));
