import { keepNewest } from "@skein/engine/keep-newest";
import type { JsonObject } from "./parse-line.ts";

const maxRequests = 64;
const maxMethodLength = 100;

export type SentRequestsState = [string, string][];

/** A JSON-RPC response has only the id of its request, so requests must be remembered. */
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

  /** The method that a response belongs to; undefined if its request is not in the log. */
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

/** A request id as JSON: `1` and `"1"` are different. */
export function toRequestId({ id }: JsonObject): string | undefined {
  return typeof id === "number" || (typeof id === "string" && id.length <= 200) ? JSON.stringify(id) : undefined;
}
