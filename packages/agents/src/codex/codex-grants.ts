import type { ApprovalWarning, PermissionGrant } from "@skein/contracts";
import { stringField } from "@skein/engine/json-fields";
import { unwrapShellCommand } from "@skein/engine/shell-command";
import { findDanger } from "../grants/dangerous-commands.ts";
import { type GrantableCall, isAllowed, toGrant } from "../grants/grants.ts";
import { readPlainCommands } from "../grants/plain-commands.ts";
import { systemShell } from "../grants/shell-arguments.ts";
import type { JsonObject } from "../lines/parse-line.ts";
import { type CodexQuestion, elicitationMethod, toElicitingTool } from "./codex-approvals.ts";

const commandMethod = "item/commandExecution/requestApproval";
const commandTool = "command_execution";

/**
 * What “always” would allow. Codex does not report whether a command would run outside of its sandbox, so a grant covers the command with
 * all rights of the user, as for every other agent. For file changes there is a permission mode.
 */
export function toCodexGrant(question: CodexQuestion, directory?: string): PermissionGrant | undefined {
  const call = toCodexCall(question);
  return call === undefined ? undefined : toGrant(call, directory);
}

/** Whether a grant covers it: such requests are not shown. */
export function isGranted(
  question: CodexQuestion,
  { grants, directory }: { grants: readonly PermissionGrant[]; directory: string },
): boolean {
  const call = toCodexCall(question);
  return call !== undefined && isAllowed(grants, call, { directory });
}

/** Why no grant covers a command. */
export function findCommandDanger({ method, params }: CodexQuestion): ApprovalWarning | undefined {
  return method === commandMethod ? findDanger(unwrapShellCommand(stringField(params, "command") ?? "")) : undefined;
}

/** Undefined for what cannot be granted. */
function toCodexCall({ method, params }: CodexQuestion): GrantableCall | undefined {
  if (method === elicitationMethod) {
    const tool = toElicitingTool(params);
    return tool === undefined ? undefined : { type: "tool", tool };
  }
  const cwd = stringField(params, "cwd");
  const command = method === commandMethod && isPlain(params) ? unwrap(stringField(params, "command") ?? "") : undefined;
  return command === undefined || cwd === undefined ? undefined : { type: "command", tool: commandTool, command, cwd };
}

/** The command text that Codex passes to a shell; undefined if it runs anything else. */
function unwrap(command: string): string | undefined {
  const [shell, ...others] = readPlainCommands(command) ?? [];
  if (shell === undefined || others.length > 0 || !systemShell.test(shell.name.value)) return undefined;
  const [option, text, ...more] = shell.args;
  const isWrapped = option !== undefined && /^-l?c$/.test(option.text) && more.length === 0 && text?.isPattern === false;
  return isWrapped ? text.value : undefined;
}

/** Codex asks the same way for hosts that a command wants to reach, and for input to a running one. */
function isPlain(params: JsonObject): boolean {
  return (stringField(params, "kind") ?? "command") === "command" && (params.networkApprovalContext ?? null) === null;
}
