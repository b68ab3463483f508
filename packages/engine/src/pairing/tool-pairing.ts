import { emptyLedger, type ResultOutcome, recordEnd, recordResult, recordUse, type ToolLedger, withdrawUse } from "./tool-ledger.ts";

/** The storage of ledgers: a `Map`, or one that tracks changes. */
export interface LedgerStore<Use, Result> {
  get(id: string): ToolLedger<Use, Result> | undefined;
  set(id: string, ledger: ToolLedger<Use, Result>): unknown;
  delete(id: string): unknown;
  [Symbol.iterator](): IterableIterator<[string, ToolLedger<Use, Result>]>;
}

/** The ledgers of all ids of one stream of uses and results. Uses are compared by identity: use strings or numbers. */
export class ToolPairing<Use extends string | number, Result> {
  readonly #ledgers: LedgerStore<Use, Result>;
  readonly #maxEnded: number;
  /** Ids with nothing open and nothing waiting, oldest end first. */
  readonly #ended = new Set<string>();
  /** Ids with results that wait for their use. */
  readonly #waiting = new Set<string>();

  /** `maxEnded`: how many ids are kept after their last use ended. Open uses and waiting results are never dropped. */
  constructor({
    maxEnded = Number.POSITIVE_INFINITY,
    ledgers = new Map(),
  }: { maxEnded?: number; ledgers?: LedgerStore<Use, Result> } = {}) {
    this.#ledgers = ledgers;
    this.#maxEnded = maxEnded;
    for (const [id, ledger] of ledgers) {
      if (isOver(ledger)) this.#ended.add(id);
      if (ledger.waiting.length > 0) this.#waiting.add(id);
    }
  }

  /** The result that waited for this use, if any. */
  addUse(id: string, use: Use): Result | undefined {
    const { ledger, result } = recordUse(this.#ledger(id), use);
    this.#put(id, ledger);
    return result;
  }

  addResult(id: string, result: Result): ResultOutcome<Use> {
    const { ledger, outcome } = recordResult(this.#ledger(id), result);
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

  /** Drops waiting results: they belong to no later use. */
  forgetWaiting(): void {
    for (const id of [...this.#waiting]) this.#put(id, { ...this.#ledger(id), waiting: [] });
  }

  #ledger(id: string): ToolLedger<Use, Result> {
    return this.#ledgers.get(id) ?? emptyLedger;
  }

  #put(id: string, ledger: ToolLedger<Use, Result>): void {
    this.#ended.delete(id);
    if (ledger.waiting.length > 0) this.#waiting.add(id);
    else this.#waiting.delete(id);
    if (!isOver(ledger)) {
      this.#ledgers.set(id, ledger);
      return;
    }
    if (ledger.ended === undefined) {
      this.#ledgers.delete(id);
      return;
    }
    this.#ledgers.set(id, ledger);
    this.#ended.add(id);
    if (this.#ended.size <= this.#maxEnded) return;
    const [oldest] = this.#ended;
    if (oldest === undefined) return;
    this.#ended.delete(oldest);
    this.#ledgers.delete(oldest);
  }
}

function isOver({ open, waiting }: ToolLedger<unknown, unknown>): boolean {
  return open.length === 0 && waiting.length === 0;
}
