import { resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { ApprovalWarning } from "@skein/contracts";
import { type PermissionGrant, permissionGrantSchema } from "@skein/contracts/permission-grant";
import { arrayField, objectField, stringField } from "@skein/engine/json-fields";
import { findDanger } from "../grants/dangerous-commands.ts";
import { type GrantableCall, toGrant } from "../grants/grants.ts";
import { unwrapShellArguments } from "../grants/shell-arguments.ts";
import type { JsonObject } from "../lines/parse-line.ts";
import { listPaths } from "./agent-files.ts";

/** None of Skein's other agents has tools with these names: grants for them apply to ACP agents only. */
const commandTool = "execute";
const editTool = "file_change";
/** Fields in which agents put a command's working folder. */
const folderFields = ["cwd", "workdir", "dir_path", "directory"];

/**
 * Undefined for calls that cannot be judged in advance: tools of other kinds, and access to anything but ordinary files of the working
 * folder.
 */
export async function findGrantableCall(
  toolCall: JsonObject,
  options: { titlesAreCommands: boolean; directory: string; isOrdinary(toolCall: JsonObject): Promise<boolean> },
): Promise<GrantableCall | undefined> {
  const call = toGrantableCall(toolCall, options);
  return call !== undefined && (await options.isOrdinary(toolCall)) ? call : undefined;
}

function toGrantableCall(
  toolCall: JsonObject,
  { titlesAreCommands, directory }: { titlesAreCommands: boolean; directory: string },
): GrantableCall | undefined {
  const kind = stringField(toolCall, "kind");
  if (kind !== "edit" && kind !== "execute") return undefined;
  if (kind === "edit") return { type: "edit", tool: editTool, paths: listPaths(toolCall) };
  const rawInput = objectField(toolCall, "rawInput");
  const command = findCommand(rawInput) ?? (titlesAreCommands ? stringField(toolCall, "title") : undefined);
  // an empty folder is the working folder
  const cwd = resolve(directory, folderFields.flatMap((field) => stringField(rawInput, field) ?? [])[0] ?? ".");
  return command === undefined ? undefined : { type: "command", tool: commandTool, command, cwd };
}

/** As a string, or as the arguments of a shell. Codex asks the same way for hosts that a command wants to reach. */
function findCommand(rawInput: JsonObject | undefined): string | undefined {
  const args = (rawInput?.network_approval_context ?? null) === null ? arrayField(rawInput, "command") : undefined;
  return args === undefined ? stringField(rawInput, "command") : unwrapShellArguments(args);
}

/** Why no grant covers a command. The user reads its title as the command. */
export function findCallDanger(toolCall: JsonObject): ApprovalWarning | undefined {
  if (stringField(toolCall, "kind") !== "execute") return undefined;
  return findDanger(findCommand(objectField(toolCall, "rawInput")) ?? stringField(toolCall, "title") ?? "");
}

/**
 * The request for the log, with what “always” would allow: only the driver knows the folder. Undefined if there is nothing to add.
 * Ignores a field of that name from the agent.
 */
export function noteGrant(request: JsonObject, grant: PermissionGrant | undefined): JsonObject | undefined {
  const params = objectField(request, "params") ?? {};
  const { skein: forged, ...meta } = objectField(params, "_meta") ?? {};
  if (grant === undefined && forged === undefined) return undefined;
  return { ...request, params: { ...params, _meta: grant === undefined ? meta : { ...meta, skein: { grant } } } };
}

/**
 * The recorded grant, if it is what this call would give. The record decides only whether “always” is offered, never what it allows
 * (X15).
 */
export function findNotedGrant(params: JsonObject, toolCall: JsonObject, directory: string): PermissionGrant | undefined {
  const noted = permissionGrantSchema.safeParse(objectField(objectField(params, "_meta"), "skein")?.grant).data;
  const call = noted === undefined ? undefined : toGrantableCall(toolCall, { titlesAreCommands: true, directory });
  const computed = call === undefined ? undefined : toGrant(call, directory);
  return computed !== undefined && isDeepStrictEqual(computed, noted) ? computed : undefined;
}
