import { type CreateElicitationResponse, RequestError } from "@agentclientprotocol/sdk";
import type { ApprovalAnswer } from "@skein/engine";
import { asObject, objectField } from "@skein/engine/json-fields";
import type { DriverContext } from "../driver/driver.ts";
import { toToolUseId } from "../lines/execution-ids.ts";
import type { JsonObject } from "../lines/parse-line.ts";
import { toRequestId } from "../lines/sent-requests.ts";
import { type Elicitation, elicitationUpdate, readElicitation, toElicitationAnswer } from "./elicitation.ts";

const cancelled: JsonObject = { action: "cancel" };

/** Forms and links of the agent that wait for the user, in every permission mode. */
export interface PendingElicitations {
  /** Call for each request, in log order. */
  take(request: JsonObject): void;
  /** Resolves with the answer to a request; rejects if Skein cannot display it. */
  getAnswer(id: unknown, signal: AbortSignal): Promise<CreateElicitationResponse>;
  /** Ignores answers to other requests, and a second answer. */
  answer(answer: Pick<ApprovalAnswer, "requestId" | "decision" | "answers">): void;
  cancelAll(): void;
  hasOpen(): boolean;
}

export function createPendingElicitations({ order, record, log }: Pick<DriverContext, "order" | "record" | "log">): PendingElicitations {
  const questions = new Map<string, Question>();
  let isCancelled = false;

  return {
    take(request) {
      const id = toRequestId(request);
      const elicitation = readElicitation(objectField(request, "params"));
      if (id === undefined || elicitation === undefined) return;
      const question = createQuestion(elicitation);
      questions.set(id, question);
      if (isCancelled) question.resolve(cancelled);
    },
    async getAnswer(id, signal) {
      const key = JSON.stringify(id);
      const question = questions.get(key);
      if (question === undefined) throw RequestError.invalidParams(undefined, "Skein cannot ask for this.");
      signal.addEventListener("abort", () => {
        if (question.resolve(cancelled) && !isCancelled) {
          record({ type: "approval-withdrawn", toolUseId: toToolUseId(order.executionId, toElicitationId(key)) });
        }
      });
      const answer = await question.answer;
      questions.delete(key);
      return answer as CreateElicitationResponse;
    },
    answer({ requestId, decision, answers }) {
      const key = parseRequestId(requestId);
      const question = key === undefined ? undefined : questions.get(key);
      if (key === undefined || question === undefined) return;
      const answer = toElicitationAnswer(question.elicitation, decision === "deny" ? "decline" : "accept", answers);
      if (!question.resolve(answer)) return;
      // the log contains the agent's messages only: add the user's answer
      const update = { sessionUpdate: elicitationUpdate, id: toElicitationId(key), action: answer.action ?? "", answers: answers ?? {} };
      log(JSON.stringify({ jsonrpc: "2.0", method: "session/update", params: { update } }));
    },
    cancelAll() {
      isCancelled = true;
      for (const { resolve } of questions.values()) resolve(cancelled);
    },
    hasOpen: () => questions.size > 0,
  };
}

interface Question {
  elicitation: Elicitation;
  answer: Promise<JsonObject>;
  /** Returns false if it has already been answered. */
  resolve(answer: JsonObject): boolean;
}

function createQuestion(elicitation: Elicitation): Question {
  const { promise, resolve } = Promise.withResolvers<JsonObject>();
  let isOpen = true;
  return {
    elicitation,
    answer: promise,
    resolve(answer) {
      const isFirst = isOpen;
      isOpen = false;
      resolve(answer);
      return isFirst;
    },
  };
}

/** The call id of an elicitation; `requestId` is the agent's JSON-RPC id as JSON. */
export function toElicitationId(requestId: string): string {
  return `elicitation_${requestId}`;
}

/** The inverse of what the decoder wrote into the approval. */
function parseRequestId(requestId: string | undefined): string | undefined {
  if (requestId === undefined) return undefined;
  try {
    return toRequestId({ id: asObject(JSON.parse(requestId))?.id ?? null });
  } catch {
    return undefined;
  }
}
