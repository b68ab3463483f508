import { isAbsolute, relative } from "node:path";
import type { PermissionGrant } from "@skein/contracts";
import { stringField, unwrapShellCommand } from "@skein/engine";
import type { JsonObject } from "../lines/parse-line.ts";
import { coversCommand, toCommandPrefix } from "../native/command-grants.ts";
import { findDanger } from "../native/dangerous-commands.ts";
import { type CodexQuestion, elicitationMethod, toElicitingTool } from "./codex-approvals.ts";

const commandMethod = "item/commandExecution/requestApproval";
const commandTool = "command_execution";
const maxPrefixLength = 500;

/** The model may name the shell: one of its own making would do something else than the words say. */
const systemShell = /^(?:\/usr(?:\/local)?|\/opt\/homebrew)?\/bin\/(?:bash|zsh|sh) -l?c /;

/**
 * What “always” would allow. Codex does not tell whether a command is to run outside of its sandbox, so what is allowed for good
 * is the command, with all the rights of the person, as it is for every other agent. For changes of files there is a mode.
 */
export function toCodexGrant(question: CodexQuestion): PermissionGrant | undefined {
  if (question.method === elicitationMethod) {
    const tool = toElicitingTool(question.params);
    return tool === undefined ? undefined : { tool, commandPrefix: null };
  }
  const command = toPlainCommand(question);
  const commandPrefix = command === undefined ? undefined : toCommandPrefix(command);
  return commandPrefix === undefined || commandPrefix.length > maxPrefixLength ? undefined : { tool: commandTool, commandPrefix };
}

/** Whether the person has allowed it for good: such questions are not asked. */
export function isGranted(
  question: CodexQuestion,
  { grants, directory }: { grants: readonly PermissionGrant[]; directory: string },
): boolean {
  if (question.method === elicitationMethod) {
    const name = toElicitingTool(question.params);
    return grants.some(({ tool, commandPrefix }) => tool === name && commandPrefix === null);
  }
  const command = toPlainCommand(question);
  if (command === undefined || !isInside(directory, stringField(question.params, "cwd"))) return false;
  return grants.some(({ tool, commandPrefix }) => tool === commandTool && commandPrefix !== null && coversCommand(commandPrefix, command));
}

/** One sentence about a command that no grant covers. */
export function findCommandDanger({ method, params }: CodexQuestion): string | undefined {
  return method === commandMethod ? findDanger(unwrapShellCommand(stringField(params, "command") ?? "")) : undefined;
}

/** What a person would have typed; undefined for what is more than a command, or dangerous. */
function toPlainCommand(question: CodexQuestion): string | undefined {
  const { method, params } = question;
  const command = stringField(params, "command");
  if (method !== commandMethod || command === undefined || !systemShell.test(command) || !isPlain(params)) return undefined;
  return findCommandDanger(question) === undefined ? unwrapShellCommand(command) : undefined;
}

/** Codex asks in the same way about hosts that a command wants to reach, and about what is typed into a running one. */
function isPlain(params: JsonObject): boolean {
  return (stringField(params, "kind") ?? "command") === "command" && (params.networkApprovalContext ?? null) === null;
}

function isInside(directory: string, path: string | undefined): boolean {
  if (path === undefined) return false;
  const way = relative(directory, path);
  return way === "" || !(way.startsWith("..") || isAbsolute(way));
}
