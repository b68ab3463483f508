import type { AttemptId, ConversationMessage, ConversationState, Delivery, TaskId } from "@skein/contracts";
import { type MessageList, toMessageList } from "./message-list.ts";

/**
 * What a client knows about one conversation. It starts as `loading`: deliveries are kept and applied after the first page. It returns to
 * `loading` when another attempt becomes the active one, or a page arrives that is older than what is known: then the newest page must be
 * fetched (again).
 */
export interface ConversationView {
  readonly taskId: TaskId;
  /** The displayed attempt; null while it is unknown, or if there is none. */
  readonly attemptId: AttemptId | null;
  /** False if the caller chose the attempt: then another attempt that becomes active changes nothing. */
  readonly followsActive: boolean;
  readonly phase: "loading" | "ready";
  readonly state: ConversationState;
  /** There are older messages before the first one. */
  readonly hasMore: boolean;
  /** Events up to this sequence number are in `state`: request those after it when the stream breaks. */
  readonly lastSeq: number;
  readonly list: MessageList;
  /** Arrived while the page was being loaded. */
  readonly waiting: readonly Delivery[];
  /** Newest revisions of messages before the first one here; their page may have been read earlier. */
  readonly older: ReadonlyMap<string, ConversationMessage>;
}

/** An empty view in the phase `loading`. Without `attemptId` it follows the task's active attempt. */
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
