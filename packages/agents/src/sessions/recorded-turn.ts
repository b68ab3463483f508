import { createHash } from "node:crypto";
import type { AgentOutput, ExecutionId, JsonValue, MessageId, Usage } from "@skein/contracts";
import { toToolUseId } from "../lines/execution-ids.ts";
import type { SessionSink } from "./session-source.ts";

type Result = Extract<AgentOutput, { type: "tool-result" }>;

/** A place in a turn: in a message of the agent, or of one of its subagents. */
export interface MessagePlace {
  /** The program's id of the message. */
  message: string;
  at: number;
  /** The call of the subagent. */
  parent?: string | undefined;
}

/** Turns the complete messages of a stored session into outputs, for programs that keep messages instead of a log. */
export class RecordedTurn {
  readonly executionId: ExecutionId;
  readonly #sink: SessionSink;
  readonly #indexes = new Map<string, number>();
  #results = 0;

  constructor(executionId: ExecutionId, sink: SessionSink) {
    this.executionId = executionId;
    this.#sink = sink;
  }

  text(text: string, place: MessagePlace): void {
    if (text !== "") this.#sink.output({ type: "text", mode: "whole", text, ...this.#place(place) });
  }

  thinking(text: string, place: MessagePlace): void {
    if (text !== "") this.#sink.output({ type: "thinking", mode: "whole", text, ...this.#place(place) });
  }

  call(call: { id: string; toolName: string; input: JsonValue }, place: MessagePlace): void {
    const { toolName, input } = call;
    this.#sink.output({ type: "tool-use", toolUseId: this.toToolUseId(call.id), toolName, input, ...this.#place(place) });
  }

  result({ id, ...result }: Omit<Result, "type" | "resultId" | "toolUseId"> & { id: string }): void {
    this.#results += 1;
    const resultId = `msg_${this.#scope()}_r${this.#results.toString(36)}` as MessageId;
    this.#sink.output({ type: "tool-result", resultId, toolUseId: this.toToolUseId(id), ...result });
  }

  notice(notice: Pick<Extract<AgentOutput, { type: "notice" }>, "text" | "code">, { message, at }: MessagePlace): void {
    this.#sink.output({ type: "notice", messageId: this.#toMessageId(`${message}-notice`), ...notice, at });
  }

  error(text: string, { message, at }: MessagePlace): void {
    this.#sink.output({ type: "error", messageId: this.#toMessageId(`${message}-error`), text, at });
  }

  endMessage({ message, at, model, usage }: MessagePlace & { model?: string | undefined; usage?: Usage | undefined }): void {
    this.#sink.output({
      type: "message-end",
      messageId: this.#toMessageId(message),
      ...(model === undefined ? {} : { model }),
      ...(usage === undefined ? {} : { usage }),
      at,
    });
  }

  /** Ids of calls may be used again in another turn. */
  toToolUseId(id: string): string {
    return toToolUseId(this.executionId, id);
  }

  #place({ message, at, parent }: MessagePlace) {
    const index = this.#indexes.get(message) ?? 0;
    this.#indexes.set(message, index + 1);
    const owner = parent === undefined ? {} : { parentToolUseId: this.toToolUseId(parent) };
    return { messageId: this.#toMessageId(message), index, ...owner, at };
  }

  #toMessageId(native: string): MessageId {
    const safe = /^[\w-]{1,100}$/.test(native) ? native : createHash("sha256").update(native).digest("hex").slice(0, 32);
    return `msg_${this.#scope()}_${safe}` as MessageId;
  }

  #scope(): string {
    return this.executionId.slice("exe_".length);
  }
}
