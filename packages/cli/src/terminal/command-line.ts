import { toRevealedLine } from "./terminal-text.ts";

/** A command quoted for a shell, with hidden characters revealed. */
export function toCommandLine(command: readonly string[]): string {
  return command.map((part) => (/^[\w@%+=:,./-]+$/.test(part) ? part : `'${toRevealedLine(part).replaceAll("'", "'\\''")}'`)).join(" ");
}
