/**
 * What is known about one tool use id. The same id may be used several times: a result belongs to the first open use, a result that
 * arrives before its use waits for it, and a result for uses that have all ended is extra.
 */
export interface ToolLedger<Use, Result> {
  readonly open: readonly Use[];
  readonly waiting: readonly Result[];
  /** The use that ended last: the subject of an extra result. */
  readonly ended: Use | undefined;
}

/** What a result means for its id. */
export type ResultOutcome<Use> =
  | { type: "paired"; use: Use }
  /** The use already has its result, or ended without one. */
  | { type: "extra"; use: Use }
  /** No use of this id is known (yet). */
  | { type: "waiting" };

/** The ledger of an id that was never used. */
export const emptyLedger: ToolLedger<never, never> = { open: [], waiting: [], ended: undefined };

/** `result` is the one that waited for this use. */
export function recordUse<Use, Result>(
  ledger: ToolLedger<Use, Result>,
  use: Use,
): { ledger: ToolLedger<Use, Result>; result: Result | undefined } {
  const { open, waiting, ended } = ledger;
  const result = waiting[0];
  if (result === undefined) return { ledger: { open: open.length === 0 ? [use] : [...open, use], waiting, ended }, result };
  return { ledger: { open, waiting: waiting.slice(1), ended: use }, result };
}

/** Adds a result to a ledger, and returns what it means. */
export function recordResult<Use, Result>(
  ledger: ToolLedger<Use, Result>,
  result: Result,
): { ledger: ToolLedger<Use, Result>; outcome: ResultOutcome<Use> } {
  const use = ledger.open[0];
  if (use !== undefined) {
    return { ledger: { open: ledger.open.slice(1), waiting: ledger.waiting, ended: use }, outcome: { type: "paired", use } };
  }
  if (ledger.ended !== undefined) return { ledger, outcome: { type: "extra", use: ledger.ended } };
  return { ledger: { ...ledger, waiting: [...ledger.waiting, result] }, outcome: { type: "waiting" } };
}

/** The use ended without a result (interrupted, timed out): a later result is extra. */
export function recordEnd<Use, Result>(ledger: ToolLedger<Use, Result>, use: Use): ToolLedger<Use, Result> {
  return { ...ledger, open: ledger.open.filter((other) => other !== use), ended: use };
}

/** The use never happened: a retry discarded it. */
export function withdrawUse<Use, Result>(ledger: ToolLedger<Use, Result>, use: Use): ToolLedger<Use, Result> {
  return { ...ledger, open: ledger.open.filter((other) => other !== use) };
}
