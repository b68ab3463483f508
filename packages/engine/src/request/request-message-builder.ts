import type { CompressionSummary, MessageBody } from "@skein/contracts";
import { type AcceptedMessage, normalizeMessage } from "../legacy/normalize-message.ts";
import { applyCompression } from "./apply-compression.ts";
import { dropInvalidMessages } from "./drop-invalid-messages.ts";
import { fixToolPairs } from "./fix-tool-pairs.ts";
import { insertSystemPrompts } from "./insert-system-prompts.ts";
import { validateMessages } from "./validate-messages.ts";

/** A message with an identity, in any form that is accepted. */
export interface RequestMessage {
  id: string | number;
  body: AcceptedMessage;
}

export interface RequestLogger {
  debug(message: string, details?: object): void;
}

/**
 * The one way to a request: compression, invalid messages, tool pairs, system prompts, validation, in this order.
 * `build()` changes nothing that it was given, and throws `RequestValidationError` for a history that cannot be sent.
 */
export class RequestMessageBuilder {
  readonly #logger: RequestLogger | undefined;
  #systemPrompts: readonly string[] = [];
  #messages: readonly RequestMessage[] = [];
  #summary: CompressionSummary | null = null;

  constructor(options: { logger?: RequestLogger } = {}) {
    this.#logger = options.logger;
  }

  setSystemPrompts(systemPrompts: readonly string[]): this {
    this.#systemPrompts = systemPrompts;
    return this;
  }

  setMessages(messages: readonly RequestMessage[]): this {
    this.#messages = messages;
    return this;
  }

  setCompressionSummary(summary: CompressionSummary | null): this {
    this.#summary = summary;
    return this;
  }

  build(): MessageBody[] {
    this.#log("Starting message build pipeline");
    const entities = this.#messages.flatMap(({ id, body }) => normalizeMessage(body).map((one) => ({ id, body: one })));

    const compressed = applyCompression(entities, this.#summary);
    this.#log(`After compression: ${compressed.length} messages`);

    const valid = dropInvalidMessages(compressed);
    this.#log(`After filtering: ${valid.length} messages`);

    const { messages: paired, repairs } = fixToolPairs(valid);
    this.#log(`After orphaned tool fix: ${paired.length} messages`, repairs.length === 0 ? undefined : { repairs });

    const complete = insertSystemPrompts(paired, this.#systemPrompts);
    this.#log(`After system prompts: ${complete.length} messages`);

    validateMessages(complete);
    this.#log(`Validation passed: ${complete.length} messages`);
    return complete;
  }

  #log(message: string, details?: object): void {
    this.#logger?.debug(`[RequestMessageBuilder] ${message}`, ...(details === undefined ? [] : [details]));
  }
}
