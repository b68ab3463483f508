import { emptyLedger, type ResultOutcome, recordEnd, recordResult, recordUse, type ToolLedger, withdrawUse } from "./tool-ledger.ts";

export interface ToolPairingLimits {
  /** Results kept for a use that may still come, over all ids. */
  maxWaiting: number;
  /** Ids remembered after their last use ended. */
  maxEnded: number;
}

/** The ledgers of every id of one stream of uses and results. Uses are compared by identity: use strings or numbers. */
export class ToolPairing<Use extends string | number, Result> {
  readonly #ledgers: Map<string, ToolLedger<Use, Result>>;
  readonly #limits: ToolPairingLimits | undefined;
  #waiting = 0;

  constructor(input: { limits?: ToolPairingLimits; ledgers?: Iterable<[string, ToolLedger<Use, Result>]> } = {}) {
    this.#limits = input.limits;
    this.#ledgers = new Map(input.ledgers);
    for (const ledger of this.#ledgers.values()) this.#waiting += ledger.waiting.length;
  }

  /** The result that waited for this use, if one did. */
  addUse(id: string, use: Use): Result | undefined {
    const { ledger, result } = recordUse(this.#ledger(id), use);
    if (result !== undefined) this.#waiting -= 1;
    this.#put(id, ledger);
    return result;
  }

  addResult(id: string, result: Result): ResultOutcome<Use> {
    const { ledger, outcome } = recordResult(this.#ledger(id), result);
    if (outcome.type === "waiting") this.#waiting += 1;
    this.#put(id, ledger);
    return outcome;
  }

  /** The first open use of an id. */
  findOpen(id: string): Use | undefined {
    return this.#ledgers.get(id)?.open[0];
  }

  end(id: string, use: Use): void {
    this.#put(id, recordEnd(this.#ledger(id), use));
  }

  withdraw(id: string, use: Use): void {
    this.#put(id, withdrawUse(this.#ledger(id), use));
  }

  /** Results that wait answer nothing that comes from now on. */
  forgetWaiting(): void {
    if (this.#waiting === 0) return;
    for (const [id, ledger] of [...this.#ledgers]) if (ledger.waiting.length > 0) this.#put(id, { ...ledger, waiting: [] });
    this.#waiting = 0;
  }

  entries(): [string, ToolLedger<Use, Result>][] {
    return [...this.#ledgers];
  }

  #ledger(id: string): ToolLedger<Use, Result> {
    return this.#ledgers.get(id) ?? emptyLedger;
  }

  // Re-inserting moves an id to the end, so that the ids that nothing happened to for longest are forgotten first.
  #put(id: string, ledger: ToolLedger<Use, Result>): void {
    this.#ledgers.delete(id);
    if (ledger.open.length > 0 || ledger.waiting.length > 0 || ledger.ended !== undefined) this.#ledgers.set(id, ledger);
    if (this.#limits !== undefined) this.#forget(this.#limits);
  }

  #forget(limits: ToolPairingLimits): void {
    let excess = this.#ledgers.size - limits.maxEnded;
    if (excess <= 0 && this.#waiting <= limits.maxWaiting) return;
    for (const [id, ledger] of this.#ledgers) {
      if (this.#waiting > limits.maxWaiting && ledger.waiting.length > 0) {
        this.#waiting -= ledger.waiting.length;
        this.#ledgers.set(id, { ...ledger, waiting: [] });
      }
      const known = this.#ledgers.get(id);
      if (excess > 0 && known?.open.length === 0 && known.waiting.length === 0) {
        this.#ledgers.delete(id);
        excess -= 1;
      }
    }
  }
}
