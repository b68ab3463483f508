/** One change that `fixToolPairs` made. `toolCallId` is the id in the request, `from` the id in the history. */
export type PairRepair =
  /** It has no call, or its call already has a result. */
  | { type: "dropped-result"; toolCallId: string }
  /** The call had no result and got an error result. */
  | { type: "added-result"; toolCallId: string }
  /** It was elsewhere, or in another order. */
  | { type: "moved-result"; toolCallId: string }
  /** Its id was empty, or an earlier call has it. */
  | { type: "renamed-call"; toolCallId: string; from: string }
  /** Its id was empty, or that of its call was: they are paired by position. */
  | { type: "renamed-result"; toolCallId: string; from: string }
  /** A tool message without results. */
  | { type: "dropped-empty-message" };
