import { ModelError, type ModelEvent } from "@skein/engine";
import { type ErrorContext, toModelError } from "../errors/to-model-error.ts";
import { withCost } from "../models/cost-of.ts";

export interface ReadStreamOptions<Chunk> {
  /** Sends the request; `signal` cancels it. */
  open(signal: AbortSignal): Promise<AsyncIterable<Chunk>>;
  /** Ends with an `end` event, or returns without one if the stream broke off. */
  toEvents(chunks: AsyncIterable<Chunk>): AsyncIterable<ModelEvent>;
  context: ErrorContext;
  /** Time limit without data from the provider; ten minutes if undefined. */
  idleTimeoutMs: number | undefined;
  /** Whether the vendor itself serves the model, at its list price. */
  isOfficial: boolean;
}

const defaultIdleTimeoutMs = 600_000;

/** One model call: exactly one `end`, with its cost if that is known, or a thrown `ModelError`, or the signal's reason as soon as it is aborted. */
export async function* readStream<Chunk>(options: ReadStreamOptions<Chunk>): AsyncGenerator<ModelEvent> {
  const { context, idleTimeoutMs = defaultIdleTimeoutMs } = options;
  context.signal.throwIfAborted();
  const idle = new IdleTimer(idleTimeoutMs);
  const signal = AbortSignal.any([context.signal, idle.signal]);
  try {
    const chunks = await options.open(signal);
    for await (const event of options.toEvents(idle.watch(chunks))) {
      context.signal.throwIfAborted();
      if (event.type === "end") {
        yield { ...event, usage: withCost(event.usage, context.modelId, options) };
        return;
      }
      yield event;
    }
    throw new ModelError("network", { code: "provider-answer-unfinished", provider: context.provider });
  } catch (error) {
    if (!idle.signal.aborted) throw toModelError(error, context);
    context.signal.throwIfAborted();
    const seconds = Math.ceil(idleTimeoutMs / 1000);
    throw new ModelError("network", { code: "provider-answer-stalled", provider: context.provider, seconds });
  } finally {
    idle.stop();
  }
}

class IdleTimer {
  readonly #controller = new AbortController();
  readonly #milliseconds: number;
  #timer: NodeJS.Timeout;

  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds;
    this.#timer = this.#start();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  async *watch<Chunk>(chunks: AsyncIterable<Chunk>): AsyncGenerator<Chunk> {
    for await (const chunk of chunks) {
      this.stop();
      this.#timer = this.#start();
      yield chunk;
    }
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #start(): NodeJS.Timeout {
    return setTimeout(() => this.#controller.abort(), this.#milliseconds);
  }
}
