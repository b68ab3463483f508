import type { CompressionSummary, MessageBody } from "@skein/contracts";
import type { RequestMessage } from "./apply-compression.ts";
import { toSystemMessage } from "./insert-system-prompts.ts";
import type { PairRepair } from "./repair-history.ts";
import { type PreparedHistory, RequestHistory } from "./request-history.ts";
import { validateMessages } from "./validate-messages.ts";

export interface RequestLogger {
  debug(message: string, details?: object): void;
}

/** One step of the builder, and how many messages it left. */
export interface RequestStep {
  step: "compression" | "filtering" | "tool-pairs" | "system-prompts" | "validation";
  messages: number;
  /** What the step `tool-pairs` changed. */
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
 * The one way to a request: compression, invalid messages, tool pairs, system prompts, validation, in this order.
 * `build()` changes nothing that it was given, and throws `RequestValidationError` for a history that cannot be sent.
 *
 * A builder that is kept for the next request of the same conversation does again only what was added since.
 */
export class RequestMessageBuilder {
  readonly #logger: RequestLogger | undefined;
  readonly #onStep: ((step: RequestStep) => void) | undefined;
  readonly #history = new RequestHistory();
  #systemPrompts: readonly string[] = [];
  #messages: readonly RequestMessage[] = [];
  /** The builder's own copy, which nobody else can change; empty until something is added. */
  #own: RequestMessage[] = [];
  #builtCount = 0;
  #summary: CompressionSummary | null = null;

  /** `onStep` gets the counts that `logger` gets as text, in the order of the steps. */
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
    this.#own = [];
    this.#builtCount = 0;
    return this;
  }

  /** At the end. The messages that were there before are not looked at again. */
  addMessages(messages: readonly RequestMessage[]): this {
    if (this.#messages !== this.#own) {
      this.#own = [...this.#messages];
      this.#messages = this.#own;
    }
    for (const message of messages) this.#own.push(message);
    return this;
  }

  setCompressionSummary(summary: CompressionSummary | null): this {
    this.#summary = summary;
    return this;
  }

  build(): MessageBody[] {
    return this.#build(({ settled, tail }, system) => settled.toRequest(system, tail));
  }

  /**
   * As `build()`, without the copy: of a long conversation it costs only what is new. The array is the builder's own: it is
   * right until the next build and must not be kept longer.
   */
  buildView(): readonly MessageBody[] {
    return this.#build(({ settled, tail }, system) =>
      system === undefined ? settled.toRequest(system, tail) : settled.toView(system, tail),
    );
  }

  #build<Request extends readonly MessageBody[]>(
    complete: (history: PreparedHistory, system: MessageBody | undefined) => Request,
  ): Request {
    this.#log("Starting message build pipeline");
    const prepared = this.#history.prepare(this.#messages, this.#summary, { sameCount: this.#builtCount });
    if (this.#messages === this.#own) this.#builtCount = this.#own.length;
    this.#report({ step: "compression", messages: prepared.compressedCount });
    this.#report({ step: "filtering", messages: prepared.validCount });
    const repairs = prepared.repairs.length === 0 ? {} : { repairs: prepared.repairs };
    this.#report({ step: "tool-pairs", messages: prepared.settled.length + prepared.tail.length, ...repairs });

    const request = complete(prepared, toSystemMessage(this.#systemPrompts));
    this.#report({ step: "system-prompts", messages: request.length });

    validateMessages(request, { from: request.length });
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
