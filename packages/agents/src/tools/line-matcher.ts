import { Worker } from "node:worker_threads";
import { locateProgram } from "../programs/locate-program.ts";

const patienceMs = 3000;

export interface PatternThreadData {
  source: string;
  /** Number of texts that the thread has started. */
  progress: Int32Array<SharedArrayBuffer>;
}

/** Line indexes of each text, ascending; or the text that took too long, after which the matcher cannot be used. */
export type FoundLines = { lines: number[][] } | { tooSlow: number };

/**
 * Finds lines that match a regular expression, in a thread: some patterns take practically forever, and block everything else in their
 * thread, even a stop.
 */
export class LineMatcher {
  readonly #thread: Worker;
  readonly #patienceMs: number;
  readonly #progress = new Int32Array(new SharedArrayBuffer(4));

  /** Throws a `SyntaxError` for an invalid regular expression. */
  constructor(pattern: string, options: { patienceMs?: number } = {}) {
    this.#patienceMs = options.patienceMs ?? patienceMs;
    const workerData: PatternThreadData = { source: new RegExp(pattern).source, progress: this.#progress };
    this.#thread = new Worker(locateProgram(new URL("./pattern-thread.ts", import.meta.url)), { workerData });
    this.#thread.setMaxListeners(0);
    this.#thread.unref();
  }

  /** Several texts at once: a message to a thread takes longer than most of them. One call at a time. */
  async find(texts: readonly string[], signal: AbortSignal): Promise<FoundLines> {
    const { promise, resolve, reject } = Promise.withResolvers<FoundLines>();
    const receive = (lines: number[][]) => resolve({ lines });
    const leave = () => reject(signal.reason);
    const before = this.#progress[0] ?? 0;
    let begun = before;
    // two checks that find the same text mean that it has taken this long
    const timer = setInterval(() => {
      const now = Atomics.load(this.#progress, 0);
      if (now === begun && now > before) resolve({ tooSlow: now - before - 1 });
      begun = now;
    }, this.#patienceMs);
    this.#thread.once("message", receive).once("error", reject);
    signal.addEventListener("abort", leave, { once: true });
    // An unreferenced thread would let a program exit that waits for nothing else.
    this.#thread.ref();
    this.#thread.postMessage(texts);
    try {
      signal.throwIfAborted();
      return await promise;
    } finally {
      clearInterval(timer);
      this.#thread.unref();
      this.#thread.off("message", receive).off("error", reject);
      signal.removeEventListener("abort", leave);
    }
  }

  async close(): Promise<void> {
    await this.#thread.terminate();
  }
}
