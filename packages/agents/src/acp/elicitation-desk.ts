import { type CreateElicitationResponse, RequestError } from "@agentclientprotocol/sdk";
import type { ApprovalAnswer } from "@skein/engine";
import { asObject, objectField } from "@skein/engine/json-fields";
import type { DriverContext } from "../driver/driver.ts";
import { toToolUseId } from "../lines/execution-ids.ts";
import type { JsonObject } from "../lines/parse-line.ts";
import { toRequestId } from "../lines/sent-requests.ts";
import { type Elicitation, elicitationUpdate, readElicitation, toElicitationAnswer } from "./elicitation.ts";

const cancelled: JsonObject = { action: "cancel" };

/** Where forms and pages that an agent asks the user for wait for their answers. No permission mode is an answer to them. */
export interface ElicitationDesk {
  /** Called for each request in the order of the log. */
  take(request: JsonObject): void;
  /** Resolves with what the request that was taken is answered; rejects for one that cannot be asked here. */
  getAnswer(id: unknown, signal: AbortSignal): Promise<CreateElicitationResponse>;
  /** Does nothing for an answer to something else, and for a second one. */
  answer(answer: Pick<ApprovalAnswer, "requestId" | "decision" | "answers">): void;
  cancelAll(): void;
  hasOpen(): boolean;
}

export function createElicitationDesk({ order, record, log }: Pick<DriverContext, "order" | "record" | "log">): ElicitationDesk {
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
      // the log has what agents say; what the user said has to be added
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
  /** False when it was answered already. */
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

/** Names it among the calls of its execution, by the agent's own number as JSON. */
export function toElicitationId(requestId: string): string {
  return `elicitation_${requestId}`;
}

/** As the decoder wrote it into the approval. */
function parseRequestId(requestId: string | undefined): string | undefined {
  if (requestId === undefined) return undefined;
  try {
    return toRequestId({ id: asObject(JSON.parse(requestId))?.id ?? null });
  } catch {
    return undefined;
  }
}
