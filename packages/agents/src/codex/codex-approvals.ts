import type { JsonValue } from "@skein/contracts";
import type { ApprovalAnswer } from "@skein/engine";
import { arrayField, objectField, stringField } from "@skein/engine/json-fields";
import type { JsonObject } from "../lines/parse-line.ts";

export const userInputMethod = "item/tool/requestUserInput";
export const elicitationMethod = "mcpServer/elicitation/request";

/** Asked by the driver: Codex ends its turn with a plan and waits for the next message. */
export const planMethod = "skein/plan/requestApproval";

/** The tool name under which a plan is shown: Codex has none. */
export const planTool = "exit_plan";

/** A request of Codex that the user answers. */
export interface CodexQuestion {
  method: string;
  params: JsonObject;
}

/** True if Codex accepts a user's answer; all other requests are rejected, so that it never waits forever. */
export function isQuestion({ method, params }: CodexQuestion): boolean {
  switch (method) {
    case "item/commandExecution/requestApproval":
    case "item/fileChange/requestApproval":
    case "item/permissions/requestApproval":
      return stringField(params, "itemId") !== undefined;
    case userInputMethod:
      return stringField(params, "itemId") !== undefined && (arrayField(params, "questions") ?? []).length > 0;
    case elicitationMethod:
      return isToolElicitation(params);
    default:
      return false;
  }
}

/** A tool of an MCP server asks with an empty form; forms with fields are not supported here. */
export function isToolElicitation(params: JsonObject): boolean {
  const fields = objectField(objectField(params, "requestedSchema"), "properties");
  return stringField(params, "mode") === "form" && Object.keys(fields ?? {}).length === 0;
}

/** The MCP tool by Skein's name; Codex's name for it appears only in the text. */
export function toElicitingTool(params: JsonObject): string | undefined {
  const server = stringField(params, "serverName");
  const [, tool] = /\btool "([\w-]{1,100})"\?$/.exec(stringField(params, "message") ?? "") ?? [];
  const isCall = stringField(objectField(params, "_meta"), "codex_approval_kind") === "mcp_tool_call";
  return server === undefined || tool === undefined || !isCall ? undefined : `mcp__${server}__${tool}`;
}

/**
 * The result that carries the user's answer. “Always” answers only this request: Skein stores the grant and answers later requests
 * itself, because what Codex accepts for a session may be more than was shown.
 */
export function toCodexAnswer({ method, params }: CodexQuestion, answer: Pick<ApprovalAnswer, "decision" | "answers">): JsonValue {
  const { decision } = answer;
  switch (method) {
    case "item/permissions/requestApproval":
      return {
        permissions: decision === "deny" ? {} : withoutNulls(objectField(params, "permissions") ?? {}),
        scope: "turn",
      };
    case userInputMethod:
      return { answers: decision === "deny" ? {} : toUserInput(params, answer) };
    case elicitationMethod:
      return {
        action: decision === "deny" ? "decline" : "accept",
        content: decision === "deny" ? null : {},
        _meta: null,
      };
    default:
      // `cancel` would interrupt
      return { decision: decision === "deny" ? "decline" : "accept" };
  }
}

/** Skein's questions are identified by their text, those of Codex by id. */
function toUserInput(params: JsonObject, { answers = {} }: Pick<ApprovalAnswer, "answers">): JsonObject {
  return Object.fromEntries(
    (arrayField(params, "questions") ?? []).flatMap((question): [string, JsonValue][] => {
      const id = stringField(question, "id");
      const text = stringField(question, "question");
      const given = text !== undefined && Object.hasOwn(answers, text) ? answers[text] : undefined;
      return id === undefined || given === undefined ? [] : [[id, { answers: typeof given === "string" ? [given] : given }]];
    }),
  );
}

function withoutNulls(value: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== null));
}
