import { relative } from "node:path";
import type { ApprovalWarning, JsonValue, PermissionGrant } from "@skein/contracts";
import { formatText } from "@skein/engine/format-text";
import { arrayField, asObject, objectField, stringField } from "@skein/engine/json-fields";
import { findDanger } from "../grants/dangerous-commands.ts";
import { findEditProtection } from "../grants/edit-protection.ts";
import { type GrantableCall, toGrant } from "../grants/grants.ts";
import type { JsonObject } from "../lines/parse-line.ts";
import type { FileWarning } from "../workspace/protected-paths.ts";

/** Its tools that change files: a grant for one covers all of them. */
const editTools = new Set(["Edit", "MultiEdit", "NotebookEdit", "Write"]);
/** Other fields change what a command may do: `dangerouslyDisableSandbox`. */
const commandFields = new Set(["command", "description", "timeout", "run_in_background"]);

/** The subject of a request, if it can be granted permanently. */
export function toClaudeCodeCall(toolName: string, input: JsonValue): GrantableCall | undefined {
  if (toolName === "Bash") {
    const command = stringField(input, "command");
    const isPlain = Object.keys(asObject(input) ?? {}).every((field) => commandFields.has(field));
    return command === undefined || !isPlain ? undefined : { type: "command", tool: "Bash", command };
  }
  if (editTools.has(toolName)) {
    const path = stringField(input, "file_path", "notebook_path");
    return path === undefined ? undefined : { type: "edit", tool: "Edit", paths: [path] };
  }
  if (toolName === "WebFetch") {
    const url = stringField(input, "url");
    return url === undefined ? undefined : { type: "fetch", tool: toolName, url };
  }
  return toolName.startsWith("mcp__") || toolName === "WebSearch" ? { type: "tool", tool: toolName } : undefined;
}

/** Why an edit needs approval in every mode; null for ordinary files, and for tools that edit none. */
export function findProtectedEdit(
  toolName: string,
  input: JsonValue,
  place: { directory: string; trustedFiles: readonly string[] },
): FileWarning | null {
  const path = editTools.has(toolName) ? stringField(input, "file_path", "notebook_path") : undefined;
  return path === undefined ? null : findEditProtection(path, place);
}

/**
 * What “always” would allow. Skein computes and stores it: Claude Code gets no rule, because its own rules allow more than was shown.
 * Nothing if Claude Code itself offers nothing, as for commands that it considers dangerous.
 */
export function toClaudeCodeGrant(request: JsonObject, directory?: string): PermissionGrant | undefined {
  const suggestions = arrayField(request, "permission_suggestions") ?? [];
  const isBarred =
    request.requires_user_interaction === true || request.suppress_always_allow_rule === true || request.decision_reason_type === "hook";
  const call = toClaudeCodeCall(stringField(request, "tool_name") ?? "", request.input ?? {});
  return suggestions.length === 0 || isBarred || call === undefined ? undefined : toGrant(call, directory);
}

const fileWarnings = ["git-file", "agent-settings-file", "editor-file", "package-file", "trusted-file"] as const;

/** The warning that Skein's own hook gave as its reason (see `toHookQuestion`): Claude Code passes on its English text. */
export function findHookWarning(request: JsonObject, directory = "/"): ApprovalWarning | undefined {
  const said = request.decision_reason_type === "hook" ? stringField(request, "decision_reason") : undefined;
  const file = stringField(objectField(request, "input"), "file_path", "notebook_path");
  if (said === undefined || file === undefined) return undefined;
  const path = relative(directory, file);
  return fileWarnings.map((code) => ({ code, path })).find((warning) => formatText(warning) === said);
}

/** Why a command needs attention, if Claude Code gives no reason of its own. */
export function findCommandDanger(request: JsonObject): ApprovalWarning | undefined {
  const command = stringField(request, "tool_name") === "Bash" ? stringField(objectField(request, "input"), "command") : undefined;
  return command === undefined ? undefined : findDanger(command);
}
