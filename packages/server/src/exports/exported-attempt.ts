import type { AttemptDiff, ConversationMessage, ExportHead, ExportRedaction, StoredMessage } from "@skein/contracts";

/** An attempt that is exported: its parts, read while they are written. */
export interface ExportedAttempt {
  head: ExportHead;
  changes: AttemptDiff | null;
  /** Undefined if they are not included. */
  messages: (() => AsyncIterable<StoredMessage[]>) | undefined;
  conversation(): AsyncIterable<ConversationMessage[]>;
  /** What was redacted in the parts that have been read. */
  redaction(): ExportRedaction;
}
