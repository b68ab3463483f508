/*
 * Reads a whole database and prints what is wrong with it, as a JSON array. A process of its own, which everything else goes
 * before: a large database takes seconds.
 */
import { setPriority } from "node:os";
import { checkDatabase } from "@skein/storage";

try {
  setPriority(19);
} catch {
  // not every system lets us
}
const [file = ""] = process.argv.slice(-1);
console.log(JSON.stringify(checkDatabase(file)));
