import { readdirSync } from "node:fs";

/** The names in a folder; none if it cannot be read. */
export function listFolder(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
