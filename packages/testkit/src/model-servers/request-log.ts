import type { Violation } from "../provider-rules/violation.ts";
import type { RecordedRequest } from "./recorded-request.ts";

interface Waiter {
  n: number;
  resolve(request: RecordedRequest): void;
  reject(error: unknown): void;
}

/** The requests to a model server, and the callers that wait for one. */
export class RequestLog {
  readonly requests: RecordedRequest[] = [];
  readonly otherRequests: RecordedRequest[] = [];
  readonly violations: Violation[] = [];
  #waiters: Waiter[] = [];
  #steps = 0;

  add(request: RecordedRequest, { generates }: { generates: boolean }): void {
    (generates ? this.requests : this.otherRequests).push(request);
    this.#waiters = this.#waiters.filter((waiter) => {
      const found = this.requests[waiter.n];
      if (found !== undefined) waiter.resolve(found);
      return found === undefined;
    });
  }

  /** The number of the next step of the script; a refused request takes none. */
  takeStep(): number {
    return this.#steps++;
  }

  waitForRequest(n: number): Promise<RecordedRequest> {
    const found = this.requests[n];
    if (found !== undefined) return Promise.resolve(found);
    return new Promise((resolve, reject) => this.#waiters.push({ n, resolve, reject }));
  }

  /** A script that throws is a broken test: callers that wait get the error. */
  fail(error: unknown): void {
    for (const waiter of this.#waiters.splice(0)) waiter.reject(error);
  }

  close(): void {
    this.fail(new Error("The model server was closed before that request came."));
  }
}
