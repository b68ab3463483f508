import { readFile } from "node:fs/promises";

/** Reads what `writeWhole` wrote; undefined if the file does not exist (yet). */
export async function readWhole<T>(file: string): Promise<T | undefined> {
  try {
    return JSON.parse(await readFile(file, "utf8")) as T;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
