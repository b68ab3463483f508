import type { AttemptId, ConversationMessage, ConversationPage, ConversationState, ImagePart, TaskId } from "@skein/contracts";
import { createConversationView } from "@skein/engine";
import { notifyManager } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { api } from "../api/api.ts";
import { taskOverviews } from "../api/task-overviews.ts";
import { firstConversation } from "../live/first-conversation.ts";
import { eventStream, foldAgain, gaps, queryClient } from "../live/live.ts";
import { createPacedBatch } from "../live/paced-batch.ts";
import { seedTask } from "../live/seed-caches.ts";
import { createExternalStore, useStore } from "../state/external-store.ts";
import { type ConversationSession, openConversation, type SendOptions, type SessionSnapshot } from "./conversation-session.ts";
import type { OutgoingMessage } from "./outgoing-message.ts";
import { createPreopenedSessions } from "./preopened-sessions.ts";

export interface TaskConversation extends ConversationState {
  /** False until the first page is loaded. */
  isLoaded: boolean;
  error: unknown;
  /** What the list shows: the newest messages, or a part far above them. */
  shown: readonly ConversationMessage[];
  /** A part far above is shown: new messages are not visible. */
  isDetached: boolean;
  /** Older ones exist before the first shown. */
  hasMore: boolean;
  loadingOlder: boolean;
  outgoing: readonly OutgoingMessage[];
  sendMessage(text: string, images?: readonly ImagePart[], options?: SendOptions): Promise<void>;
  stopExecution(): Promise<void>;
  loadOlder(): Promise<void>;
  loadNewer(): Promise<void>;
  showAround(messageId: string): Promise<void>;
  showNewest(): void;
  letGoOfOlder(): void;
  /** The messages loaded now, even before they are drawn. */
  peek(): { messages: readonly ConversationMessage[]; hasMore: boolean };
  reload(): Promise<void>;
  retry(commandId: string): Promise<void>;
  discard(commandId: string): void;
}

/** As many as the overview of a task contains. */
const pageSize = 100;
/** A text still flows; and what comes in between, at 200 messages a second, is drawn within a few milliseconds. */
const drawEveryMs = 33;

/**
 * The conversation of the task's active attempt, or of the given one, kept current for as long as it is shown (E8). Never null:
 * before the first render is committed it is empty, and what is sent then is sent as soon as the conversation is open.
 */
export function useTaskConversation(taskId: TaskId, attemptId?: AttemptId): TaskConversation {
  const [session, setSession] = useState<ConversationSession | null>(
    () => (attemptId === undefined ? preopenedSessions.peek(taskId) : undefined) ?? null,
  );
  const opening = useMemo(() => createOpening({ taskId, attemptId }), [taskId, attemptId]);
  useEffect(() => {
    const opened = (attemptId === undefined ? preopenedSessions.take(taskId) : undefined) ?? openSession({ taskId, attemptId });
    setSession(opened);
    opening.resolve(opened);
    return () => {
      opened.close();
      setSession(null);
    };
  }, [taskId, attemptId, opening]);
  const snapshot = useStore<SessionSnapshot>(session?.snapshot ?? opening.session.snapshot);
  return useMemo(() => toConversation(session ?? opening.session, snapshot, taskId), [session, opening, snapshot, taskId]);
}

function openSession({ taskId, attemptId }: { taskId: TaskId; attemptId?: AttemptId | undefined }): ConversationSession {
  const page = firstConversation.take(taskId, attemptId);
  // the first page of the active attempt comes with everything else that the page of a task shows first
  let opening = page === undefined && attemptId === undefined ? loadOpenedTask(taskId) : undefined;
  const session = openConversation(
    { taskId, attemptId, page },
    {
      subscribe: eventStream.subscribe,
      streamSettled: eventStream.settled,
      createBatch: (apply) => createPacedBatch(apply, { everyMs: drawEveryMs }),
      loadPage: (query) => {
        const loading = opening ?? api.getConversation({ ...query, limit: pageSize });
        opening = undefined;
        return loading;
      },
      send: (message) => api.execute({ type: "SEND_MESSAGE", taskId, ...(attemptId === undefined ? {} : { attemptId }), ...message }),
      createCommandId: () => crypto.randomUUID(),
      schedule: (action, ms) => void setTimeout(action, ms),
    },
  );
  const stopListening = gaps.subscribe(() => void session.reload());
  return {
    ...session,
    close() {
      stopListening();
      session.close();
    },
  };
}

async function loadOpenedTask(taskId: TaskId): Promise<ConversationPage> {
  const overview = await taskOverviews.load(taskId, eventStream.settled);
  notifyManager.batch(() => seedTask(queryClient, overview));
  foldAgain(overview.conversation.lastSeq);
  return overview.conversation;
}

const preopenedSessions = createPreopenedSessions((taskId) => openSession({ taskId }));

/** Called when a task is about to be shown: its link is hovered over or focused, or its page is loading. */
export const preopenConversation = preopenedSessions.preopen;

/** Replaces a session until it is open: empty, and calls are carried out then. */
function createOpening(conversation: { taskId: TaskId; attemptId: AttemptId | undefined }): {
  session: ConversationSession;
  resolve(session: ConversationSession): void;
} {
  const { promise, resolve } = Promise.withResolvers<ConversationSession>();
  const later =
    <Arguments extends unknown[]>(choose: (session: ConversationSession) => (...given: Arguments) => void | Promise<void>) =>
    async (...given: Arguments): Promise<void> =>
      choose(await promise)(...given);
  const view = createConversationView(conversation);
  return {
    resolve,
    session: {
      snapshot: createExternalStore<SessionSnapshot>({ view, error: null, loadingOlder: false, outgoing: [], window: null }),
      sendMessage: later((session) => session.sendMessage),
      loadOlder: later((session) => session.loadOlder),
      loadNewer: later((session) => session.loadNewer),
      showAround: later((session) => session.showAround),
      showNewest: later((session) => session.showNewest),
      letGoOfOlder: later((session) => session.letGoOfOlder),
      reload: later((session) => session.reload),
      retry: later((session) => session.retry),
      discard: later((session) => session.discard),
      close: () => {},
    },
  };
}

function toConversation(
  session: ConversationSession,
  { view, error, loadingOlder, outgoing, window }: SessionSnapshot,
  taskId: TaskId,
): TaskConversation {
  return {
    ...view.state,
    isLoaded: view.phase === "ready" || view.state.messages.length > 0,
    error,
    shown: window?.messages ?? view.state.messages,
    isDetached: window !== null,
    hasMore: window?.hasOlder ?? view.hasMore,
    loadingOlder,
    outgoing,
    sendMessage: session.sendMessage,
    stopExecution: async () => {
      const { attemptId } = session.snapshot.get().view.state;
      await api.execute({ id: crypto.randomUUID(), type: "STOP_EXECUTION", taskId, ...(attemptId === null ? {} : { attemptId }) });
    },
    loadOlder: session.loadOlder,
    loadNewer: session.loadNewer,
    showAround: session.showAround,
    showNewest: session.showNewest,
    letGoOfOlder: session.letGoOfOlder,
    peek: () => {
      const now = session.snapshot.get();
      return { messages: now.window?.messages ?? now.view.state.messages, hasMore: now.window?.hasOlder ?? now.view.hasMore };
    },
    reload: session.reload,
    retry: session.retry,
    discard: session.discard,
  };
}
