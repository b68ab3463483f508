import type { AttemptId, ConversationMessage, ConversationState, Delivery, TaskId } from "@skein/contracts";
import { type MessageList, toMessageList } from "./message-list.ts";

/**
 * What a client knows of one conversation. It starts as `loading`: deliveries are kept and applied after the first page.
 * It is `loading` again when another attempt became the active one, or a page arrived that was older than what is known:
 * then the newest page must be fetched (again).
 */
export interface ConversationView {
  readonly taskId: TaskId;
  /** The attempt that is shown; null while it is not known, or there is none. */
  readonly attemptId: AttemptId | null;
  /** False when the caller chose the attempt: then another attempt that becomes active changes nothing. */
  readonly followsActive: boolean;
  readonly phase: "loading" | "ready";
  readonly state: ConversationState;
  /** Older messages exist before the first one. */
  readonly hasMore: boolean;
  /** Events up to here are in `state`: ask for those after it when the stream breaks. */
  readonly lastSeq: number;
  readonly list: MessageList;
  /** Arrived while the page was being loaded. */
  readonly waiting: readonly Delivery[];
  /** Newest revisions of messages older than the first one here; the page that holds them may have been read before. */
  readonly older: ReadonlyMap<string, ConversationMessage>;
}

/** An empty view in the phase `loading`. Without `attemptId` it follows the active attempt of the task. */
export function createConversationView(input: { taskId: TaskId; attemptId?: AttemptId | undefined }): ConversationView {
  const attemptId = input.attemptId ?? null;
  return {
    taskId: input.taskId,
    attemptId,
    followsActive: input.attemptId === undefined,
    phase: "loading",
    state: createEmptyState(attemptId),
    hasMore: false,
    lastSeq: 0,
    list: toMessageList([]),
    waiting: [],
    older: new Map(),
  };
}

/** The state of a conversation without messages, in which nothing can be sent yet. */
export function createEmptyState(attemptId: AttemptId | null): ConversationState {
  return { messages: [], isExecuting: false, canSendMessage: false, attemptId, queue: [], queuePause: null, approvals: [] };
}
