import type { CompressionSummary, MessageBody } from "@skein/contracts";
import { applyCompression, type RequestMessage } from "./apply-compression.ts";
import { dropInvalidMessages } from "./drop-invalid-messages.ts";
import { fixToolPairs, type PairRepair } from "./fix-tool-pairs.ts";
import { insertSystemPrompts } from "./insert-system-prompts.ts";
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
    const compressed = applyCompression(this.#messages, this.#summary);
    this.#report({ step: "compression", messages: compressed.length });

    const valid = dropInvalidMessages(compressed);
    this.#report({ step: "filtering", messages: valid.length });

    const { messages: paired, repairs } = fixToolPairs(valid);
    this.#report({ step: "tool-pairs", messages: paired.length, ...(repairs.length === 0 ? {} : { repairs }) });

    const request = insertSystemPrompts(paired, this.#systemPrompts);
    this.#report({ step: "system-prompts", messages: request.length });

    validateMessages(request);
    this.#report({ step: "validation", messages: request.length });
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
