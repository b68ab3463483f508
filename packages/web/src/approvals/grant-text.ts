import type { PermissionGrant } from "@skein/contracts";
import { revealInvisible } from "../text/reveal-invisible.ts";

/** What “always” would allow, in words that hide nothing: a character that cannot be seen is named by its number. */
export function toGrantText({ tool, commandPrefix }: PermissionGrant): { tool: string; command: string | null } {
  return { tool: reveal(tool), command: commandPrefix === null ? null : reveal(commandPrefix) };
}

function reveal(text: string): string {
  return revealInvisible(text)
    .map((run) => run.text ?? `[${run.hidden}]`)
    .join("");
}
