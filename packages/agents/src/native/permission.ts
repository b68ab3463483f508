import type { PermissionMode } from "@skein/contracts";
import type { NativeTool } from "../tools/tool.ts";

const asks: Record<PermissionMode, readonly NativeTool["access"][]> = {
  full: [],
  "accept-edits": ["command"],
  ask: ["edit", "command"],
};

export function needsApproval(mode: PermissionMode, access: NativeTool["access"]): boolean {
  return asks[mode].includes(access);
}
