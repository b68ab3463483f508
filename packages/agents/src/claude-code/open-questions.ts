import type { JsonValue } from "@skein/contracts";
import type { ApprovalAnswer } from "@skein/engine";
import { objectField, stringField } from "@skein/engine/json-fields";
import type { JsonObject } from "../lines/parse-line.ts";

export interface OpenQuestion {
  requestId: string;
  toolUseId: string;
  toolName: string;
  input: JsonValue;
  /** Not covered by any permission in advance: a question, a plan to agree to, a protected file, a dangerous command (X10). */
  needsPerson: boolean;
}

const userTools = new Set(["AskUserQuestion", "ExitPlanMode"]);

/** Undefined for a request that asks for something else. */
export function readQuestion(line: JsonObject): OpenQuestion | undefined {
  const request = objectField(line, "request");
  const requestId = stringField(line, "request_id");
  if (request?.subtype !== "can_use_tool" || requestId === undefined) return undefined;
  // 1.0 does not say whose question it is
  const toolUseId = stringField(request, "tool_use_id") ?? requestId;
  const toolName = stringField(request, "tool_name") ?? "";
  const needsPerson =
    request.requires_user_interaction === true || request.decision_reason_type === "safetyCheck" || userTools.has(toolName);
  return { requestId, toolUseId, toolName, input: request.input ?? {}, needsPerson };
}

/** The questions that wait for the user. */
export class OpenQuestions {
  readonly #questions = new Map<string, OpenQuestion>();

  add(question: OpenQuestion): void {
    this.#questions.set(question.toolUseId, question);
  }

  /** Undefined when it was answered already or taken back: answers are sent again after a restart. */
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
