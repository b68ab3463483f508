import type { WorkingMode } from "@skein/contracts";

/** Until the user has chosen: an attempt has a worktree of its own to edit, but commands reach further. */
export const recommendedMode: WorkingMode = "accept-edits";
