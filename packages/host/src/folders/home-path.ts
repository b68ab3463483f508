import { homedir } from "node:os";
import { join, sep } from "node:path";

/** Replaces a leading `~` by the user's home folder. */
export function expandHome(path: string): string {
  return path === "~" || path.startsWith("~/") ? join(homedir(), path.slice(1)) : path;
}

/** Replaces the user's home folder by `~`. */
export function toHomePath(path: string): string {
  const home = homedir();
  return path.startsWith(`${home}${sep}`) ? `~${path.slice(home.length)}` : path;
}
