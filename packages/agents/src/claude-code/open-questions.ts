import type { JsonValue } from "@skein/contracts";
import { objectField, stringField } from "@skein/engine";
import type { JsonObject } from "../lines/parse-line.ts";

export interface OpenQuestion {
  requestId: string;
  toolUseId: string;
  toolName: string;
  input: JsonValue;
  /** Not covered by any permission in advance: a question, a plan to agree to, a protected file, a dangerous command (X10). */
  needsPerson: boolean;
}

const personTools = new Set(["AskUserQuestion", "ExitPlanMode"]);

/** Undefined for a request that asks for something else. */
export function readQuestion(line: JsonObject): OpenQuestion | undefined {
  const request = objectField(line, "request");
  const requestId = stringField(line, "request_id");
  if (request?.subtype !== "can_use_tool" || requestId === undefined) return undefined;
  // 1.0 does not say whose question it is
  const toolUseId = stringField(request, "tool_use_id") ?? requestId;
  const toolName = stringField(request, "tool_name") ?? "";
  const needsPerson =
    request.requires_user_interaction === true || request.decision_reason_type === "safetyCheck" || personTools.has(toolName);
  return { requestId, toolUseId, toolName, input: request.input ?? {}, needsPerson };
}
