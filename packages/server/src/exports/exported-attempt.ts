import type { AttemptDiff, ConversationMessage, ExportHead, ExportRedaction, FileContent, StoredMessage } from "@skein/contracts";

/** An image, by git's id of its content. */
export interface ExportedImage {
  blob: string;
  content: FileContent;
}

/** An attempt that is exported: its parts, read while they are written. */
export interface ExportedAttempt {
  head: ExportHead;
  changes: AttemptDiff | null;
  /** The images of changed files, before and after. */
  images(): AsyncIterable<ExportedImage>;
  /** Undefined if they are not included. */
  messages: (() => AsyncIterable<StoredMessage[]>) | undefined;
  conversation(): AsyncIterable<ConversationMessage[]>;
  /** What was redacted in the parts that have been read. */
  redaction(): ExportRedaction;
}
