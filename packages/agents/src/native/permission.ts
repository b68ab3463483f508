import { resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { ApprovalWarning, JsonValue, PermissionGrant, PermissionMode } from "@skein/contracts";
import { stringField } from "@skein/engine";
import { findDanger } from "../grants/dangerous-commands.ts";
import { type GrantableCall, grantsIn, isAllowed, toGrant } from "../grants/grants.ts";
import type { NativeTool, PreparedCall } from "../tools/tool.ts";

const asks: Record<PermissionMode, readonly NativeTool["access"][]> = {
  full: [],
  "accept-edits": ["command", "network"],
  ask: ["edit", "command", "network"],
  plan: ["edit", "command", "network"],
};

export type PermissionVerdict =
  | { type: "allowed" }
  /** `reason`: what is special about this call; `grant`: what “always” would allow, absent if nothing may be granted. */
  | { type: "ask"; reason: ApprovalWarning | undefined; grant: PermissionGrant | undefined };

/** Whether a call needs the user's approval. Grants never cover protected files and dangerous commands. */
export function judgeCall(input: {
  mode: PermissionMode;
  grants: readonly PermissionGrant[];
  /** The working folder. */
  directory: string;
  tool: NativeTool;
  call: Pick<PreparedCall, "command" | "url">;
  protection: ApprovalWarning | null;
}): PermissionVerdict {
  const { mode, directory, tool, call, protection } = input;
  const grants = grantsIn(mode, input.grants);
  if (protection !== null) return { type: "ask", reason: protection, grant: undefined };
  if (!asks[mode].includes(tool.access)) return { type: "allowed" };
  const danger = call.command === undefined ? undefined : findDanger(call.command.text);
  if (danger !== undefined) return { type: "ask", reason: danger, grant: undefined };
  const { name } = tool.definition;
  if (tool.access === "edit") {
    // its own check of the path, `protection`, has already been made
    const isGranted = grants.some((grant) => grant.type === "edits" && grant.tool === name);
    return isGranted ? { type: "allowed" } : { type: "ask", reason: undefined, grant: { type: "edits", tool: name } };
  }
  const grantable = toGrantableCall(name, call, directory);
  if (isAllowed(grants, grantable, { directory })) return { type: "allowed" };
  return { type: "ask", reason: undefined, grant: toGrant(grantable, directory) };
}

function toGrantableCall(tool: string, { command, url }: Pick<PreparedCall, "command" | "url">, directory: string): GrantableCall {
  if (command !== undefined) {
    return { type: "command", tool, command: command.text, cwd: resolve(directory, command.workingDirectory ?? ".") };
  }
  return url === undefined ? { type: "tool", tool } : { type: "fetch", tool, url };
}

/** Tools whose calls can be granted for every ordinary file. */
const editTools: ReadonlySet<string> = new Set(["write", "edit"]);

/** What “always” would allow for a call, computed from the call alone; undefined if that is not what was offered (X15). */
export function checkOfferedGrant(call: {
  toolName: string;
  input: JsonValue;
  directory: string;
  offered: PermissionGrant;
}): PermissionGrant | undefined {
  const { toolName, input, directory, offered } = call;
  const text = toolName === "bash" ? (stringField(input, "command") ?? "") : undefined;
  if (text !== undefined && findDanger(text) !== undefined) return undefined;
  const command = text === undefined ? undefined : { text, workingDirectory: stringField(input, "workingDirectory") };
  const url = toolName === "web_fetch" ? (stringField(input, "url") ?? "") : undefined;
  const computed: PermissionGrant | undefined = editTools.has(toolName)
    ? { type: "edits", tool: toolName }
    : toGrant(
        toGrantableCall(toolName, { ...(command === undefined ? {} : { command }), ...(url === undefined ? {} : { url }) }, directory),
        directory,
      );
  return isDeepStrictEqual(computed, offered) ? computed : undefined;
}
