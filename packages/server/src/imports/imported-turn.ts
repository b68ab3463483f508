import type { Turn, TurnEnd } from "@skein/agents/session-sources";
import type { AgentOutput, ConversationMessage, EndedExecution, ExecutionId, StoredMessage, TaskId, Usage } from "@skein/contracts";
import {
  createMessageProcessor,
  estimateMessageTokens,
  formatText,
  type MessageDraft,
  type PresentTool,
  type ProcessedStep,
} from "@skein/engine";
import { costOf } from "@skein/providers/cost-of";
import { isAnswer } from "../executions/is-answer.ts";
import type { ImportedIds } from "./imported-ids.ts";

export interface TurnOwner {
  taskId: TaskId;
  attemptId: EndedExecution["attemptId"];
}

/** One turn of a session on its way to the database: an execution that ended long ago. The processor is that of live output. */
export class ImportedTurn {
  readonly turn: Turn;
  readonly executionId: ExecutionId;
  readonly #owner: TurnOwner;
  readonly #number: number;
  readonly #ids: ImportedIds;
  readonly #processor: ReturnType<typeof createMessageProcessor>;
  #conversation = new Map<string, ConversationMessage>();
  #messages = new Map<string, MessageDraft>();
  #end: TurnEnd = {};
  #endedAt: number;
  #hasAnswered = false;
  #hasShownError = false;
  /** The execution's row and the user's message are written with the first part of the turn. */
  #isFirst = true;

  constructor(input: { turn: Turn; number: number; ids: ImportedIds; owner: TurnOwner; present: PresentTool | undefined }) {
    this.turn = input.turn;
    this.#owner = input.owner;
    this.#number = input.number;
    this.#ids = input.ids;
    this.#endedAt = input.turn.at;
    this.executionId = input.ids.execution(input.turn.key, input.turn.at);
    const { executionId } = this;
    this.#processor = createMessageProcessor({ executionId, ...(input.present === undefined ? {} : { present: input.present }) });
  }

  /** How many messages wait to be written. */
  get size(): number {
    return this.#conversation.size + this.#messages.size;
  }

  add(output: AgentOutput): void {
    if (output.at > this.#endedAt) this.#endedAt = output.at;
    if (isAnswer(output)) this.#hasAnswered = true;
    if (output.type === "error") this.#hasShownError = true;
    this.#keep(this.#processor.apply(output));
  }

  addEnd(end: TurnEnd, at: number): void {
    if (end.status === undefined) Object.assign(this.#end, end);
    else {
      // a later end replaces an earlier one, except for its usage
      const { reason: _before, ...known } = this.#end;
      this.#end = { ...known, ...end };
    }
    if (at > this.#endedAt) this.#endedAt = at;
  }

  /** The turn is complete: closes what is open. */
  close(): void {
    const at = this.#endedAt;
    if (this.#status() === "success") this.#keep(this.#processor.apply({ type: "end", status: "success", at }));
    this.#keep(this.#processor.settle({ at, reason: "" }));
    const { reason } = this.#end;
    if (this.#status() !== "failed" || this.#hasShownError || reason === undefined || reason === "") return;
    const id = `msg_${this.executionId.slice("exe_".length)}_end`;
    const text = typeof reason === "string" ? {} : { text: reason };
    const metadata = { executionId: this.executionId, code: "execution-failed", ...text };
    this.#keep({
      conversation: [{ id, role: "system", messageType: "error", content: formatText(reason), timestamp: at, revision: 1, metadata }],
      messages: [],
    });
  }

  toExecution(): EndedExecution {
    const { at } = this.turn;
    const status = this.#status();
    const reason = status === "failed" ? this.#end.reason : undefined;
    return {
      ...{ id: this.executionId, ...this.#owner, number: this.#number, startedAt: at, status },
      endedAt: this.#endedAt,
      durationMs: this.#endedAt - at,
      exitCode: null,
      reason: reason === undefined || reason === "" ? null : formatText(reason),
      ...(reason === undefined || typeof reason === "string" ? {} : { reasonText: reason }),
      code: null,
      usage: this.#usage(),
    };
  }

  /** What has been read since the last call. */
  take(): { conversation: ConversationMessage[]; messages: StoredMessage[] } {
    const { attemptId } = this.#owner;
    const conversation = [...this.#conversation.values()];
    const drafts = [...this.#messages.values()].sort((a, b) => a.position - b.position);
    const messages = drafts.map(
      (draft): StoredMessage => ({ ...draft, attemptId, executionId: this.executionId, tokens: estimateMessageTokens(draft) }),
    );
    this.#conversation = new Map();
    this.#messages = new Map();
    if (this.#isFirst) {
      this.#isFirst = false;
      const { message, shown } = this.#toUserMessage();
      messages.unshift(message);
      conversation.unshift(shown);
    }
    return { conversation, messages };
  }

  #keep(step: ProcessedStep): void {
    for (const message of step.conversation) this.#conversation.set(message.id, message);
    for (const message of step.messages) this.#messages.set(message.id, message);
  }

  #status(): EndedExecution["status"] {
    return this.#end.status ?? (this.#hasAnswered ? "success" : "interrupted");
  }

  #usage(): Usage {
    const { usage = {}, model } = this.#end;
    if (usage.costUsd !== undefined || model === undefined) return usage;
    const costUsd = costOf(usage, model);
    return costUsd === undefined ? usage : { ...usage, costUsd };
  }

  #toUserMessage(): { message: StoredMessage; shown: ConversationMessage } {
    const { text, images, at } = this.turn;
    const { executionId } = this;
    const id = this.#ids.message(executionId);
    const body = { role: "user" as const, content: images.length === 0 ? text : [{ type: "text" as const, text }, ...images] };
    const tokens = estimateMessageTokens({ body });
    const message: StoredMessage = { id, attemptId: this.#owner.attemptId, executionId, position: 0, body, tokens, createdAt: at };
    const pictures = images.length === 0 ? {} : { images: images.map(({ mediaType, data }) => ({ mediaType, data })) };
    const metadata = { executionId, ...pictures };
    return { message, shown: { id, role: "user", messageType: "text", content: text, timestamp: at, revision: 1, metadata } };
  }
}
