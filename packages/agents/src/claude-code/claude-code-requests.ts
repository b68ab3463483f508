import type { ApprovalAnswers, ImagePart, JsonValue, PlanApproval } from "@skein/contracts";
import type { ApprovalAnswer } from "@skein/engine";
import type { JsonObject } from "../lines/parse-line.ts";
import { toClaudeCodeMode } from "./claude-code-arguments.ts";

/* The lines that Claude Code reads on its stdin. */

export function encodeUserMessage({ uuid, text, images }: { uuid: string; text: string; images: readonly ImagePart[] }): string {
  const pictures = images.map(({ mediaType, data }) => ({ type: "image", source: { type: "base64", media_type: mediaType, data } }));
  const content = [...pictures, ...(text === "" && pictures.length > 0 ? [] : [{ type: "text", text }])];
  return JSON.stringify({ type: "user", message: { role: "user", content }, parent_tool_use_id: null, session_id: "", uuid });
}

export function encodeRequest(requestId: string, request: { subtype: string; [field: string]: JsonValue }): string {
  return JSON.stringify({ type: "control_request", request_id: requestId, request });
}

export function encodeResponse(requestId: string, response: JsonObject): string {
  return JSON.stringify({ type: "control_response", response: { subtype: "success", request_id: requestId, response } });
}

/** For unknown requests: without an answer, Claude Code would wait forever. */
export function encodeRefusal(requestId: string, error: string): string {
  return JSON.stringify({ type: "control_response", response: { subtype: "error", request_id: requestId, error } });
}

/** For `initialize`: a hook that asks Skein before each tool that changes a file. */
export const askAboutEdits: JsonObject = {
  PreToolUse: [{ matcher: "Edit|MultiEdit|NotebookEdit|Write", hookCallbackIds: ["skein-edits"] }],
};

/** The hook's answer: ask the user, in every permission mode. */
export function toHookQuestion(reason: string): JsonObject {
  return { hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "ask", permissionDecisionReason: reason } };
}

/**
 * The user's answer for `can_use_tool`. `input`: the tool's input. “Always” answers only this request: Skein stores the grant and answers
 * later requests itself.
 */
export function toPermission(answer: Pick<ApprovalAnswer, "decision" | "reason" | "answers" | "plan">, input: JsonValue): JsonObject {
  if (answer.decision === "deny") return { behavior: "deny", message: toRefusalText(answer.reason) };
  if (answer.plan !== undefined) return toPlanPermission(answer.plan, input);
  return {
    behavior: "allow",
    updatedInput: answer.answers === undefined ? input : { ...(input as JsonObject), answers: toAnswerTexts(answer.answers) },
  };
}

/** A plan in the input was edited by the user: Claude Code reports that to its model. Without `setMode` it returns to its own mode. */
function toPlanPermission({ mode, text }: PlanApproval, input: JsonValue): JsonObject {
  return {
    behavior: "allow",
    updatedInput: text === undefined ? input : { ...(input as JsonObject), plan: text },
    updatedPermissions: [{ type: "setMode", mode: toClaudeCodeMode(mode), destination: "session" }],
  };
}

/** Versions before 2.1 report a denial only by the message of its answer. */
export const refusalStart = "The user does not want this to be done";

function toRefusalText(reason: string | null): string {
  return reason === null || reason === "" ? `${refusalStart}.` : `${refusalStart}: ${reason}`;
}

/** One text per question: several choices are joined, as in its own interface. */
function toAnswerTexts(answers: ApprovalAnswers): { [question: string]: string } {
  return Object.fromEntries(
    Object.entries(answers).map(([question, answer]) => [question, typeof answer === "string" ? answer : answer.join(", ")]),
  );
}
