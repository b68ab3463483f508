import type { AgentOutput, CallBound, Usage } from "@skein/contracts";
import { addUsage, type Model, type ModelRequest } from "@skein/engine";

/** The most that a call with this request can use; what is not known is absent. */
export type BoundCall = (request: { modelId: string; inputTokens: number }) => CallBound;

/**
 * Asks the server before each call of a model, if a budget applies to the execution (L2). The server counts the calls of all agents that
 * share the budget. Every request that is sent passes through `guard`: those of subagents, retries and summaries, too.
 */
export class CallGate {
  readonly #emit: (output: AgentOutput) => void;
  readonly #now: () => number;
  readonly #boundCall: BoundCall;
  #isOn = false;
  #calls = 0;
  /** What all calls have used. */
  #usage: Usage = {};
  /** Calls that are not over: those that wait for permission, with what lets them go on; undefined once they have it. */
  readonly #open = new Map<string, (() => void) | undefined>();

  constructor(input: { emit(output: AgentOutput): void; now(): number; boundCall?: BoundCall | undefined }) {
    this.#emit = input.emit;
    this.#now = input.now;
    this.#boundCall = input.boundCall ?? (() => ({}));
  }

  /** From the next call on. */
  turnOn(): void {
    this.#isOn = true;
  }

  grant(callId: string): void {
    const proceed = this.#open.get(callId);
    if (proceed !== undefined) this.#open.set(callId, undefined);
    proceed?.();
  }

  guard(model: Model): Model {
    return { id: model.id, contextWindow: model.contextWindow, stream: (request, options) => this.#stream(model, request, options) };
  }

  async *#stream(model: Model, request: ModelRequest, options: { signal: AbortSignal }): ReturnType<Model["stream"]> & AsyncGenerator {
    this.#calls += 1;
    const callId = `call_${this.#calls}`;
    const isAsked = this.#isOn;
    let usage: Usage = {};
    try {
      if (isAsked) await this.#ask(callId, model, request, options.signal);
      for await (const event of model.stream(request, options)) {
        // until the end, the call counts, whatever it has cost
        if (event.type === "end") usage = event.usage;
        else usage = partial;
        yield event;
      }
    } finally {
      this.#usage = addUsage(this.#usage, usage);
      this.#open.delete(callId);
      if (isAsked) this.#emit({ type: "call-end", callId, usage: this.#usage, open: this.#listOpen(), at: this.#now() });
    }
  }

  async #ask(callId: string, model: Model, request: ModelRequest, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const granted = Promise.withResolvers<void>();
    const refuse = (): void => granted.reject(signal.reason);
    signal.addEventListener("abort", refuse, { once: true });
    const atMost = this.#boundCall({ modelId: model.id, inputTokens: Math.min(model.contextWindow, boundTokens(request)) });
    this.#emit({ type: "call-request", callId, atMost, usage: this.#usage, open: this.#listOpen(), at: this.#now() });
    this.#open.set(callId, granted.resolve);
    try {
      await granted.promise;
    } finally {
      signal.removeEventListener("abort", refuse);
    }
  }

  #listOpen(): string[] {
    return [...this.#open].flatMap(([callId, proceed]) => (proceed === undefined ? [callId] : []));
  }
}

/** A call that breaks off is billed, and reports nothing. */
const partial: Usage = { isPartial: true };

/** No tokenizer makes more than one token of two bytes of text on average. */
function boundTokens(request: ModelRequest): number {
  return Math.ceil(Buffer.byteLength(JSON.stringify([request.messages, request.tools])) / 2);
}
