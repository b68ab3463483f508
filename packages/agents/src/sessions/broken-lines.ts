import type { SessionSink } from "./session-source.ts";

/** Reports the broken lines of a file as one problem. */
export class BrokenLines {
  readonly #file: string;
  #first: number | undefined;
  #count = 0;

  constructor(file: string) {
    this.#file = file;
  }

  add(line: number): void {
    this.#first ??= line;
    this.#count += 1;
  }

  report(sink: Pick<SessionSink, "problem">): void {
    if (this.#first === undefined) return;
    sink.problem({ code: "unreadable-line", file: this.#file, line: this.#first, count: this.#count });
  }
}
