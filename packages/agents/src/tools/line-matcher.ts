import { Worker } from "node:worker_threads";
import { locateProgram } from "../programs/locate-program.ts";

const patienceMs = 3000;

/**
 * Finds the lines that a regular expression fits, in a thread: some patterns take longer than anybody lives, and while they
 * do, nothing else of their thread runs, not even a stop.
 */
export class LineMatcher {
  readonly #thread: Worker;
  readonly #patienceMs: number;

  /** Throws a `SyntaxError` for what is no regular expression. */
  constructor(pattern: string, options: { patienceMs?: number } = {}) {
    this.#patienceMs = options.patienceMs ?? patienceMs;
    this.#thread = new Worker(locateProgram(new URL("./pattern-thread.ts", import.meta.url)), { workerData: new RegExp(pattern).source });
    this.#thread.setMaxListeners(0);
    this.#thread.unref();
  }

  /** From 0, ascending. Undefined when it took too long: the matcher is of no use any more. One text at a time. */
  async find(text: string, signal: AbortSignal): Promise<number[] | undefined> {
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(this.#patienceMs)]);
    const { promise, resolve, reject } = Promise.withResolvers<number[] | undefined>();
    const giveUp = () => resolve(undefined);
    this.#thread.once("message", resolve).once("error", reject);
    deadline.addEventListener("abort", giveUp, { once: true });
    // A thread without a ref would let a program end that waits for nothing else.
    this.#thread.ref();
    this.#thread.postMessage(text);
    try {
      return await promise;
    } finally {
      this.#thread.unref();
      this.#thread.off("message", resolve).off("error", reject);
      deadline.removeEventListener("abort", giveUp);
      signal.throwIfAborted();
    }
  }

  async close(): Promise<void> {
    await this.#thread.terminate();
  }
}
