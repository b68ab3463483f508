import type { Usage } from "@skein/contracts";
import { addUsage, numberField, objectField, stringField } from "@skein/engine";
import type { JsonObject } from "../lines/parse-line.ts";

export interface AcpUsageState {
  usage: Usage;
  costBefore: number | null;
  cost: number | null;
}

/** What an execution took: each prompt tells its own tokens, and the costs are those of the session since it was made. */
export class AcpUsage {
  #usage: Usage;
  #costBefore: number | null;
  #cost: number | null;

  constructor(state?: AcpUsageState) {
    this.#usage = state?.usage ?? {};
    this.#costBefore = state?.costBefore ?? null;
    this.#cost = state?.cost ?? null;
  }

  /** A session that has cost nothing yet. */
  begin(): void {
    this.#costBefore = 0;
  }

  /** A `usage_update`; `isHistory` while a session is loaded. */
  see(update: JsonObject, isHistory: boolean): void {
    const cost = objectField(update, "cost");
    const amount = stringField(cost, "currency") === "USD" ? numberField(cost, "amount") : undefined;
    if (amount === undefined || amount < 0) return;
    if (isHistory) this.#costBefore = amount;
    else this.#cost = amount;
  }

  /** What was taken so far, with a prompt that has just ended. */
  add(prompt: Usage | undefined): Usage | undefined {
    this.#usage = addUsage(this.#usage, prompt ?? {});
    // what a session cost before this execution is not known of one that does not tell it when it is loaded
    const cost = this.#cost !== null && this.#costBefore !== null ? { costUsd: Math.max(0, this.#cost - this.#costBefore) } : {};
    const whole = { ...this.#usage, ...cost };
    return Object.keys(whole).length === 0 ? undefined : whole;
  }

  save(): AcpUsageState {
    return { usage: this.#usage, costBefore: this.#costBefore, cost: this.#cost };
  }
}
