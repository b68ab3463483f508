import type { PermissionMode } from "@skein/contracts";
import type { ApprovalAnswer } from "@skein/engine";
import type { DriverContext } from "../driver/driver.ts";
import { grantsIn } from "../grants/grants.ts";
import { toToolUseId } from "../lines/execution-ids.ts";
import type { JsonObject } from "../lines/parse-line.ts";
import { toRequestId } from "../lines/sent-requests.ts";
import type { AppServerConnection } from "./app-server-connection.ts";
import { type CodexQuestion, isQuestion, planMethod, toCodexAnswer, userInputMethod } from "./codex-approvals.ts";
import { isGranted } from "./codex-grants.ts";
import { QuestionIds } from "./codex-questions.ts";

/** The requests of Codex that wait for the user. */
export interface OpenQuestions {
  /** True if it was answered immediately, without the user. */
  ask(request: { requestId: string } & CodexQuestion): boolean;
  /** Asks for approval of a plan, which Codex itself does not. Resolves with the answer. */
  propose(plan: { itemId: string; text: string }): Promise<ApprovalAnswer>;
  /** Ignores a second answer to the same request. `before` runs before Codex continues. */
  answer(answer: ApprovalAnswer, before: () => Promise<void>): Promise<void>;
  /** Codex needs no answer any more: it also notifies about requests that were answered. */
  resolve(params: JsonObject): void;
  /** The permission mode from now on. */
  setMode(mode: PermissionMode): void;
}

export function createOpenQuestions(
  { order, record, log }: Pick<DriverContext, "order" | "record" | "log">,
  getConnection: () => AppServerConnection,
): OpenQuestions {
  const open = new Map<string, CodexQuestion & { id: string }>();
  const ids = new QuestionIds();
  const grants = [...order.grants];
  const plans = new Map<string, (answer: ApprovalAnswer) => void>();
  let mode = order.permissionMode;
  return {
    ask({ requestId, ...question }) {
      if (!isQuestion(question)) {
        getConnection().refuse(requestId);
        return false;
      }
      // Codex applies a mode to a whole turn: if everything is allowed while it works, its requests are answered here.
      const isAllowed = mode === "full" && question.method !== userInputMethod;
      if (isAllowed || isGranted(question, { grants: grantsIn(mode, grants), directory: order.directory })) {
        getConnection().answer(requestId, toCodexAnswer(question, { decision: "allow", answers: undefined }));
        return true;
      }
      open.set(requestId, { ...question, id: ids.next(requestId, question) });
      return false;
    },
    propose({ itemId, text }) {
      const question = { method: planMethod, params: { itemId, plan: text } };
      const requestId = `"plan-${plans.size + 1}"`;
      log(JSON.stringify({ id: JSON.parse(requestId), ...question }));
      open.set(requestId, { ...question, id: ids.next(requestId, question) });
      return new Promise((resolve) => plans.set(requestId, resolve));
    },
    async answer(answer, before) {
      const question = answer.requestId === undefined ? undefined : open.get(answer.requestId);
      if (question === undefined || answer.requestId === undefined) return;
      open.delete(answer.requestId);
      if (answer.decision === "allow-always" && answer.grant !== undefined) grants.push(answer.grant);
      if (question.method === planMethod) {
        log(JSON.stringify({ method: "skein/answered", params: toAnsweredPlan(question, answer) }));
        plans.get(answer.requestId)?.(answer);
        return;
      }
      await before();
      const result = toCodexAnswer(question, answer);
      getConnection().answer(answer.requestId, result);
      if (question.method === userInputMethod) log(JSON.stringify({ method: "skein/answered", params: toAnswered(question.id, answer) }));
    },
    resolve(params) {
      const requestId = toRequestId({ id: params.requestId ?? null });
      const question = requestId === undefined ? undefined : open.get(requestId);
      if (requestId === undefined || question === undefined) return;
      open.delete(requestId);
      record({ type: "approval-withdrawn", toolUseId: toToolUseId(order.executionId, question.id) });
    },
    setMode(next) {
      mode = next;
    },
  };
}

/** With the plan as approved, which may differ from the proposed one. */
function toAnsweredPlan({ id: itemId, params }: CodexQuestion & { id: string }, { decision, reason, plan }: ApprovalAnswer): JsonObject {
  return { itemId, decision, reason, plan: plan?.text ?? params.plan ?? "" };
}

function toAnswered(itemId: string, { decision, answers }: ApprovalAnswer): JsonObject {
  return { itemId, decision, answers: answers ?? {} };
}
