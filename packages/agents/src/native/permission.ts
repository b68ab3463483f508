import type { PermissionGrant, PermissionMode } from "@skein/contracts";
import type { NativeTool, PreparedCall } from "../tools/tool.ts";
import { coversCommand, toCommandPrefix } from "./command-grants.ts";
import { findDanger } from "./dangerous-commands.ts";

const asks: Record<PermissionMode, readonly NativeTool["access"][]> = {
  full: [],
  "accept-edits": ["command", "network"],
  ask: ["edit", "command", "network"],
};

export type PermissionVerdict =
  | { type: "allowed" }
  /** `reason` says what is special about this call; `grant` is what “always” would allow, absent where nothing may be. */
  | { type: "ask"; reason: string | undefined; grant: PermissionGrant | undefined };

/** Whether a person has to agree to a call. A protected file and a dangerous command are covered by no grant. */
export function judgeCall(input: {
  mode: PermissionMode;
  grants: readonly PermissionGrant[];
  tool: NativeTool;
  call: Pick<PreparedCall, "command">;
  protection: string | null;
}): PermissionVerdict {
  const { mode, grants, tool, call, protection } = input;
  if (protection !== null) return { type: "ask", reason: protection, grant: undefined };
  if (!asks[mode].includes(tool.access)) return { type: "allowed" };
  const { command } = call;
  const danger = command === undefined ? undefined : findDanger(command);
  if (danger !== undefined) return { type: "ask", reason: danger, grant: undefined };
  const { name } = tool.definition;
  if (grants.some((grant) => covers(grant, name, command))) return { type: "allowed" };
  return { type: "ask", reason: undefined, grant: toGrant(name, command) };
}

function covers({ tool, commandPrefix }: PermissionGrant, name: string, command: string | undefined): boolean {
  if (tool !== name) return false;
  return commandPrefix === null || (command !== undefined && coversCommand(commandPrefix, command));
}

/** What “always” would allow for a call of a tool; `command` where the call runs one. */
export function toGrant(tool: string, command: string | undefined): PermissionGrant | undefined {
  if (command === undefined) return { tool, commandPrefix: null };
  const commandPrefix = toCommandPrefix(command);
  return commandPrefix === undefined ? undefined : { tool, commandPrefix };
}
