import { homedir } from "node:os";
import { join, sep } from "node:path";

/** `~` and `~/…` stand for the user's home folder. */
export function expandHome(path: string): string {
  return path === "~" || path.startsWith("~/") ? join(homedir(), path.slice(1)) : path;
}

/** The short form, as a user would type it. */
export function toHomePath(path: string): string {
  const home = homedir();
  return path.startsWith(`${home}${sep}`) ? `~${path.slice(home.length)}` : path;
}
