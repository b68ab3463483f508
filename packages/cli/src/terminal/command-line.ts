import { toRevealedLine } from "./terminal-text.ts";

/** A command as a shell would take it, each argument apart and nothing hidden. */
export function toCommandLine(command: readonly string[]): string {
  return command.map((part) => (/^[\w@%+=:,./-]+$/.test(part) ? part : `'${toRevealedLine(part).replaceAll("'", "'\\''")}'`)).join(" ");
}
