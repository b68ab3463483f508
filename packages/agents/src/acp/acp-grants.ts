import { type PermissionGrant, permissionGrantSchema } from "@skein/contracts";
import { objectField, stringField } from "@skein/engine";
import type { JsonObject } from "../lines/parse-line.ts";
import { coversCommand, toCommandPrefix } from "../native/command-grants.ts";
import { findDanger } from "../native/dangerous-commands.ts";

/** No agent of ours has tools of these names: what is allowed here is allowed to the agents that speak ACP, and to them alone. */
const commandTool = "execute";
const editTool = "file_change";
const maxPrefixLength = 500;

/** What a question is about, where it is one of the things that can be allowed for good. */
export type GrantableCall = { type: "command"; command: string } | { type: "edit" };

/**
 * Undefined for all that nobody could judge beforehand: tools of other kinds, dangerous commands, and what touches anything
 * but ordinary files of the working folder.
 */
export async function findGrantableCall(
  toolCall: JsonObject,
  { titlesAreCommands, isOrdinary }: { titlesAreCommands: boolean; isOrdinary(toolCall: JsonObject): Promise<boolean> },
): Promise<GrantableCall | undefined> {
  const kind = stringField(toolCall, "kind");
  if (kind === "edit") return (await isOrdinary(toolCall)) ? { type: "edit" } : undefined;
  if (kind !== "execute") return undefined;
  const command =
    stringField(objectField(toolCall, "rawInput"), "command") ?? (titlesAreCommands ? stringField(toolCall, "title") : undefined);
  if (command === undefined || findDanger(command) !== undefined || !(await isOrdinary(toolCall))) return undefined;
  return { type: "command", command };
}

/** What “always” would allow. */
export function toAcpGrant(call: GrantableCall): PermissionGrant | undefined {
  if (call.type === "edit") return { tool: editTool, commandPrefix: null };
  const commandPrefix = toCommandPrefix(call.command);
  return commandPrefix === undefined || commandPrefix.length > maxPrefixLength ? undefined : { tool: commandTool, commandPrefix };
}

export function coversCall({ tool, commandPrefix }: PermissionGrant, call: GrantableCall): boolean {
  if (call.type === "edit") return tool === editTool && commandPrefix === null;
  return tool === commandTool && commandPrefix !== null && coversCommand(commandPrefix, call.command);
}

/** One sentence about a command that no grant covers. Its title is what the person reads as the command. */
export function findCallDanger(toolCall: JsonObject): string | undefined {
  if (stringField(toolCall, "kind") !== "execute") return undefined;
  return findDanger(stringField(objectField(toolCall, "rawInput"), "command") ?? stringField(toolCall, "title") ?? "");
}

/**
 * The question as it stands in the log: the driver alone knows the folder, so it notes there what “always” would allow.
 * Undefined when there is nothing to note. An agent's own note of that name does not count.
 */
export function noteGrant(request: JsonObject, grant: PermissionGrant | undefined): JsonObject | undefined {
  const params = objectField(request, "params") ?? {};
  const { skein: forged, ...meta } = objectField(params, "_meta") ?? {};
  if (grant === undefined && forged === undefined) return undefined;
  return { ...request, params: { ...params, _meta: grant === undefined ? meta : { ...meta, skein: { grant } } } };
}

/**
 * The noted grant, where it is what this call would give: the note decides whether “always” is offered, never what it allows
 * (X15).
 */
export function findNotedGrant(params: JsonObject, toolCall: JsonObject): PermissionGrant | undefined {
  const noted = permissionGrantSchema.safeParse(objectField(objectField(params, "_meta"), "skein")?.grant).data;
  if (noted === undefined) return undefined;
  const command = stringField(objectField(toolCall, "rawInput"), "command") ?? stringField(toolCall, "title");
  const isCommand = stringField(toolCall, "kind") === "execute" && command !== undefined && findDanger(command) === undefined;
  const computed = isCommand
    ? toAcpGrant({ type: "command", command })
    : stringField(toolCall, "kind") === "edit"
      ? toAcpGrant({ type: "edit" })
      : undefined;
  return computed?.tool === noted.tool && computed.commandPrefix === noted.commandPrefix ? computed : undefined;
}
