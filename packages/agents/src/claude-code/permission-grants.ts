import type { PermissionGrant } from "@skein/contracts";
import { arrayField, asObject, objectField, stringField } from "@skein/engine";
import type { JsonObject } from "../lines/parse-line.ts";
import { toCommandPrefix } from "../native/command-grants.ts";

const maxToolLength = 200;
const maxPrefixLength = 500;

/** A rule of Claude Code: a tool, and what of it. */
export interface PermissionRule {
  toolName: string;
  ruleContent?: string;
}

/**
 * What “always” would allow, told so that the person sees all of it. Only where Claude Code itself suggests something:
 * for what it calls dangerous it does not.
 */
export function toGrant(request: JsonObject): PermissionGrant | undefined {
  const suggestions = arrayField(request, "permission_suggestions") ?? [];
  const tool = stringField(request, "tool_name") ?? "";
  const isBarred = request.requires_user_interaction === true || request.suppress_always_allow_rule === true;
  if (suggestions.length === 0 || tool === "" || isBarred) return undefined;
  if (tool === "Bash") {
    const commandPrefix = toCommandPrefix(stringField(objectField(request, "input"), "command") ?? "");
    return commandPrefix === undefined || commandPrefix.length > maxPrefixLength ? undefined : { tool, commandPrefix };
  }
  const suggestsEdits = suggestions.some((suggestion) => stringField(suggestion, "mode") === "acceptEdits");
  const rules = suggestions.flatMap((suggestion) => arrayField(suggestion, "rules") ?? []);
  const [rule, ...others] = rules;
  const name = suggestsEdits ? "Edit" : rule === undefined || others.length > 0 ? undefined : toRuleName(asObject(rule) ?? {});
  return name === undefined || name.length > maxToolLength ? undefined : { tool: name, commandPrefix: null };
}

function toRuleName(rule: JsonObject): string | undefined {
  const toolName = stringField(rule, "toolName");
  const content = stringField(rule, "ruleContent");
  return toolName === undefined || content === undefined ? toolName : `${toolName}(${content})`;
}

/** Undefined for grants of agents whose tools have other names. */
export function toRule({ tool, commandPrefix }: PermissionGrant): PermissionRule | undefined {
  if (!/^([A-Z]|mcp__)/.test(tool)) return undefined;
  if (commandPrefix !== null) return { toolName: tool, ruleContent: `${commandPrefix}:*` };
  const [, toolName, ruleContent] = /^([^(]+)\((.+)\)$/s.exec(tool) ?? [];
  return toolName === undefined || ruleContent === undefined ? { toolName: tool } : { toolName, ruleContent };
}

/** As it stands in a settings file. */
export function toRuleText({ toolName, ruleContent }: PermissionRule): string {
  return ruleContent === undefined ? toolName : `${toolName}(${ruleContent.replaceAll(/[\\()]/g, "\\$&")})`;
}
