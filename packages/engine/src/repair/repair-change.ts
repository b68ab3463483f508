import type { PairRepair } from "../request/pair-repair.ts";

/** One change of `repair`. `index` is a position in the history that was passed. */
export type RepairChange =
  | PairRepair
  /** An answer with neither text nor calls. */
  | { type: "dropped-message"; index: number }
  /** The API rejects something in it, such as a blank text or the order of its parts. */
  | { type: "rewritten-message"; index: number }
  /** Two adjacent messages of the same role became one. */
  | { type: "joined-messages" }
  /** The history began with an answer. */
  | { type: "added-opening" };
