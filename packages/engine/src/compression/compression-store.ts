import type { AttemptId, MessageEntity, Summary, SummaryId } from "@skein/contracts";
import type { Pruning } from "./pruning.ts";

/** The input of a compression, read at one moment. */
export interface CompressionHistory {
  /** All messages of the attempt, in request order. */
  messages: readonly MessageEntity[];
  /** The active one. */
  summary: Summary | null;
  pruning: Pruning | null;
}

/** What compression stores in addition to the messages, which it never changes. Each call is one transaction. */
export interface CompressionStore {
  loadHistory(query: { attemptId: AttemptId }): Promise<CompressionHistory>;
  /**
   * A summary becomes the active one and supersedes the previous one; without one the active summary stays. Returns false and writes
   * nothing if another summary than `expectedSummaryId` is active: of two concurrent compressions, the first wins.
   */
  saveCompression(change: {
    attemptId: AttemptId;
    expectedSummaryId: SummaryId | null;
    summary: Summary | null;
    pruning: Pruning | null;
  }): Promise<boolean>;
  /**
   * Undoes the last saved change: its summary becomes `invalid`, and the previous summary and pruning are active again. Returns false if
   * there is none.
   */
  undoCompression(query: { attemptId: AttemptId }): Promise<boolean>;
}
