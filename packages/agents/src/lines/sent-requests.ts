import { keepNewest } from "@skein/engine/keep-newest";
import type { JsonObject } from "./parse-line.ts";

const maxRequests = 64;
const maxMethodLength = 100;

export type SentRequestsState = [string, string][];

/** JSON-RPC: an answer carries the number of its request and nothing else, so what was asked must be remembered. */
export class SentRequests {
  readonly #methods: Map<string, string>;

  constructor(state?: SentRequestsState) {
    this.#methods = new Map(state);
  }

  add(request: JsonObject, method: string): void {
    const id = toRequestId(request);
    if (id === undefined || method.length > maxMethodLength) return;
    this.#methods.set(id, method);
    keepNewest(this.#methods, maxRequests);
  }

  /** The method that an answer belongs to, undefined when it is not in the log. */
  take(answer: JsonObject): string | undefined {
    const id = toRequestId(answer);
    if (id === undefined) return undefined;
    const method = this.#methods.get(id);
    this.#methods.delete(id);
    return method;
  }

  save(): SentRequestsState {
    return [...this.#methods];
  }
}

/** The number or name of a request, as JSON: `1` and `"1"` are two. */
export function toRequestId({ id }: JsonObject): string | undefined {
  return typeof id === "number" || (typeof id === "string" && id.length <= 200) ? JSON.stringify(id) : undefined;
}
