import type { PermissionGrant } from "@skein/contracts";
import type { TaskTexts } from "../i18n/task-text.ts";
import { revealInvisible } from "../text/reveal-invisible.ts";

/** Claude Code changes files with several tools: a grant for one covers all, and is stored as “Edit”. */
const claudeCodeEditTools = ["Edit", "Write", "MultiEdit", "NotebookEdit"];

/** Exactly what “always” allows, in words that hide nothing: a character that cannot be seen is named by its number. */
export function toGrantText(grant: PermissionGrant, text: TaskTexts["grants"]): string {
  const tool = reveal(grant.tool);
  switch (grant.type) {
    case "command":
      return text.command(reveal(grant.command));
    case "read-only-command":
      return text.readOnlyCommand(reveal(grant.program));
    case "edits":
      return text.edits(tool === "Edit" ? claudeCodeEditTools.join(", ") : tool);
    case "origin":
      return text.origin(tool, reveal(grant.origin));
    case "tool":
      return text.tool(tool);
  }
}

/** What an earlier version stored, and what it means now: nothing. */
export function toRetiredGrantText(grant: PermissionGrant, text: TaskTexts["grants"]): string {
  return text.retired(grant.type === "read-only-command" ? text.anyArguments(reveal(grant.program)) : toGrantText(grant, text));
}

function reveal(text: string): string {
  return revealInvisible(text)
    .map((run) => run.text?.replaceAll("\n", " ↵ ") ?? `[${run.hidden}]`)
    .join("");
}
