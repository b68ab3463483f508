import type { CompressionSummary, MessageBody } from "@skein/contracts";
import type { RequestMessage } from "./apply-compression.ts";
import { insertSystemPrompts } from "./insert-system-prompts.ts";
import type { PairRepair } from "./pair-repair.ts";
import { continueHistory, type PreparedHistory, prepareHistory } from "./prepared-history.ts";
import { validateMessages } from "./validate-messages.ts";

/** Receives one line per step. */
export interface RequestLogger {
  debug(message: string, details?: object): void;
}

/** One step of the builder and the number of messages after it. */
export interface RequestStep {
  step: "compression" | "filtering" | "tool-pairs" | "system-prompts" | "validation";
  messages: number;
  /** What the step `tool-pairs` changed; absent if nothing. */
  repairs?: readonly PairRepair[];
}

const stepTitles: Record<RequestStep["step"], string> = {
  compression: "After compression",
  filtering: "After filtering",
  "tool-pairs": "After orphaned tool fix",
  "system-prompts": "After system prompts",
  validation: "Validation passed",
};

/**
 * Builds the messages of a request from a stored history. `build()` runs five steps, each an exported function:
 * `applyCompression`, `dropInvalidMessages`, `fixToolPairs`, `insertSystemPrompts`, `validateMessages`.
 *
 * A builder that is kept for the next request of the same conversation runs them on the new messages only. It recognises the
 * others by identity: a message that changes must become a new object.
 *
 * @example
 * const request = new RequestMessageBuilder()
 *   .setSystemPrompts(["You are a coding agent."])
 *   .setMessages([{ id: 1, body: { role: "user", content: "What is in a.ts?" } }])
 *   .build();
 */
export class RequestMessageBuilder {
  readonly #logger: RequestLogger | undefined;
  readonly #onStep: ((step: RequestStep) => void) | undefined;
  #systemPrompts: readonly string[] = [];
  #messages: readonly RequestMessage[] = [];
  #summary: CompressionSummary | null = null;
  /** Of the last build; every message in it has been validated. */
  #prepared: PreparedHistory | undefined;

  /** `onStep` gets the data of `logger`'s lines, in the order of the steps. */
  constructor(options: { logger?: RequestLogger; onStep?: (step: RequestStep) => void } = {}) {
    this.#logger = options.logger;
    this.#onStep = options.onStep;
  }

  setSystemPrompts(systemPrompts: readonly string[]): this {
    this.#systemPrompts = systemPrompts;
    return this;
  }

  setMessages(messages: readonly RequestMessage[]): this {
    this.#messages = messages;
    return this;
  }

  /** `null` for a history without a summary. */
  setCompressionSummary(summary: CompressionSummary | null): this {
    this.#summary = summary;
    return this;
  }

  /**
   * Returns a new array and changes no message. Messages that need no repair are the same objects as in the history.
   *
   * @throws RequestValidationError if nothing is left to send.
   */
  build(): MessageBody[] {
    this.#log("Starting message build pipeline");
    const known = this.#prepared;
    // a build that fails leaves nothing to continue from
    this.#prepared = undefined;
    const added = known && continueHistory(known, this.#messages, this.#summary);
    const prepared = known !== undefined && added !== undefined ? known : prepareHistory(this.#messages, this.#summary);
    const { compressedCount, validCount, paired, repairs } = prepared;
    this.#report({ step: "compression", messages: compressedCount });
    this.#report({ step: "filtering", messages: validCount });
    this.#report({ step: "tool-pairs", messages: paired.length, ...(repairs.length === 0 ? {} : { repairs }) });

    const request = insertSystemPrompts(paired, this.#systemPrompts);
    this.#report({ step: "system-prompts", messages: request.length });

    const arePaired = repairs.length === 0;
    if (added === undefined) validateMessages(request, { arePaired });
    else if (added.length > 0) validateMessages(added, { arePaired: true });
    this.#report({ step: "validation", messages: request.length });
    this.#prepared = prepared;
    return request;
  }

  #report(step: RequestStep): void {
    const { repairs } = step;
    this.#log(`${stepTitles[step.step]}: ${step.messages} messages`, repairs && { repairs });
    this.#onStep?.(step);
  }

  #log(message: string, details?: object): void {
    this.#logger?.debug(`[RequestMessageBuilder] ${message}`, ...(details === undefined ? [] : [details]));
  }
}
