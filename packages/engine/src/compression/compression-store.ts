import type { AttemptId, MessageEntity, Summary, SummaryId } from "@skein/contracts";
import type { Pruning } from "./pruning.ts";

export interface CompressionHistory {
  /** All messages of the attempt, in the order of a request. */
  messages: readonly MessageEntity[];
  /** The active one. */
  summary: Summary | null;
  pruning: Pruning | null;
}

/** What compression stores in addition to the messages, which it never changes. Each call is one transaction. */
export interface CompressionStore {
  loadHistory(query: { attemptId: AttemptId }): Promise<CompressionHistory>;
  /**
   * A summary becomes the active one and supersedes the one before; without one the active summary stays. False, and nothing
   * is written, when another summary than `expectedSummaryId` is active: two compressions of one attempt, the first wins.
   */
  saveCompression(change: {
    attemptId: AttemptId;
    expectedSummaryId: SummaryId | null;
    summary: Summary | null;
    pruning: Pruning | null;
  }): Promise<boolean>;
  /**
   * Takes the last saved change back: its summary becomes `invalid`, the summary and the pruning of before are active again.
   * False when there is none.
   */
  undoCompression(query: { attemptId: AttemptId }): Promise<boolean>;
}
