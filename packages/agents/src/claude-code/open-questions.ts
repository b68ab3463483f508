import type { JsonValue } from "@skein/contracts";
import type { ApprovalAnswer } from "@skein/engine";
import { objectField, stringField } from "@skein/engine/json-fields";
import type { JsonObject } from "../lines/parse-line.ts";

export interface OpenQuestion {
  requestId: string;
  toolUseId: string;
  toolName: string;
  input: JsonValue;
  /** Never covered by a grant: a question, a plan, a protected file, a dangerous command (X10). */
  needsUser: boolean;
}

const userTools = new Set(["AskUserQuestion", "ExitPlanMode"]);

/** Undefined for other requests. */
export function readQuestion(line: JsonObject): OpenQuestion | undefined {
  const request = objectField(line, "request");
  const requestId = stringField(line, "request_id");
  if (request?.subtype !== "can_use_tool" || requestId === undefined) return undefined;
  // 1.0 does not identify the tool use
  const toolUseId = stringField(request, "tool_use_id") ?? requestId;
  const toolName = stringField(request, "tool_name") ?? "";
  const needsUser = request.requires_user_interaction === true || request.decision_reason_type === "safetyCheck" || userTools.has(toolName);
  return { requestId, toolUseId, toolName, input: request.input ?? {}, needsUser };
}

/** The requests that wait for the user. */
export class OpenQuestions {
  readonly #questions = new Map<string, OpenQuestion>();

  add(question: OpenQuestion): void {
    this.#questions.set(question.toolUseId, question);
  }

  /** Undefined if it was already answered or withdrawn: answers are sent again after a restart. */
  take({ toolUseId, requestId }: Pick<ApprovalAnswer, "toolUseId" | "requestId">): OpenQuestion | undefined {
    const question = this.#questions.get(toolUseId);
    if (question === undefined || (requestId !== undefined && requestId !== question.requestId)) return undefined;
    this.#questions.delete(toolUseId);
    return question;
  }

  withdraw(requestId: JsonValue | undefined): void {
    for (const [id, question] of this.#questions) if (question.requestId === requestId) this.#questions.delete(id);
  }
}
