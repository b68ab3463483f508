import type { AgentList, PermissionMode } from "@skein/contracts";
import type { Dictionary } from "../i18n/en.ts";

/** The modes in the order in which they are offered, with their names. A mode that is missing here does not compile. */
export function toModeLabels(text: Dictionary["attempt"]): Record<PermissionMode, string> {
  return { ask: text.ask, "accept-edits": text.acceptEdits, full: text.full };
}

export function listModes(text: Dictionary["attempt"]): PermissionMode[] {
  return Object.keys(toModeLabels(text)) as PermissionMode[];
}

/** What can be the default for every new attempt. */
export type DefaultMode = NonNullable<AgentList["defaultPermissionMode"]>;
export const defaultModes: readonly DefaultMode[] = ["ask", "accept-edits", "full"];

/** Until somebody has chosen: an attempt has a worktree of its own to edit, but commands reach further. */
export const recommendedMode: DefaultMode = "accept-edits";
