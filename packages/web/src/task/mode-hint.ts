import type { AgentInfo, PermissionMode } from "@skein/contracts";
import type { Dictionary } from "../i18n/en.ts";

/** What a permission mode means for this agent. */
export function toModeHint(
  agent: Pick<AgentInfo, "permissionControl"> | undefined,
  mode: PermissionMode,
  text: Dictionary["attempt"],
): string {
  switch (agent?.permissionControl) {
    case "none":
      return text.neverAsks;
    case "sandbox":
      return text.sandbox[mode];
    case "if-it-asks":
      return text.ifItAsks[mode];
    default:
      return { ask: text.askHint, "accept-edits": text.acceptEditsHint, full: text.fullHint }[mode];
  }
}
