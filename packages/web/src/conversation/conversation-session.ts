import type { AttemptId, CommandResult, ConversationPage, Delivery, ImagePart, TaskId } from "@skein/contracts";
import {
  applyDeliveries,
  applyOlderPage,
  applyPage,
  type ConversationView,
  createConversationView,
  keepNewestMessages,
} from "@skein/engine";
import { findStorageCause } from "../api/api-error.ts";
import type { PacedBatch } from "../live/paced-batch.ts";
import { createExternalStore, type ExternalStore } from "../state/external-store.ts";
import { appendPage, detachWindow, type HistoryWindow, joinWindow, maxHeldMessages, prependPage } from "./history-window.ts";
import { type OutgoingMessage, stillOutgoing } from "./outgoing-message.ts";

export interface SessionSnapshot {
  view: ConversationView;
  /** Why the newest page could not be loaded; null when it could. */
  error: unknown;
  loadingOlder: boolean;
  outgoing: readonly OutgoingMessage[];
  /** Shown instead of the newest messages: a part of the conversation far above them. */
  window: HistoryWindow | null;
}

export interface SessionPorts {
  subscribe(listener: (delivery: Delivery) => void): () => void;
  /** Resolves when deliveries flow (or cannot): a page loaded before would miss what happens in between. */
  streamSettled: Promise<void>;
  createBatch(apply: (deliveries: Delivery[]) => void): PacedBatch<Delivery>;
  loadPage(query: {
    taskId: TaskId;
    attemptId?: AttemptId | undefined;
    before?: string;
    from?: string;
    around?: string;
  }): Promise<ConversationPage>;
  /** Sends with the given id, the same one again when it is tried again. */
  send(command: { id: string; message: string; images?: ImagePart[]; steer?: true }): Promise<CommandResult>;
  createCommandId(): string;
  schedule(action: () => void, ms: number): void;
}

export interface SendOptions {
  /** Reaches the agent at its next step, instead of waiting for the end of the execution. */
  steer?: boolean;
  /** Takes the message back, and rejects, when the server can store nothing at the moment. */
  takesBackUnstored?: boolean;
}

export interface ConversationSession {
  snapshot: ExternalStore<SessionSnapshot>;
  /** Loads the newest page again: after a gap, or when loading failed. */
  reload(): Promise<void>;
  loadOlder(): Promise<void>;
  /** Only where a part far above is shown; it ends where the newest messages begin. */
  loadNewer(): Promise<void>;
  /** Loads the part around a message unless it is here. Rejects when there is no such message. */
  showAround(messageId: string): Promise<void>;
  /** Back to the newest messages. */
  showNewest(): void;
  /** Called while the newest messages are shown: a conversation that grows all day does not grow in memory. */
  letGoOfOlder(): void;
  /** A message that could not be sent stays in `outgoing`, for a retry, unless the options differ. */
  sendMessage(text: string, images?: readonly ImagePart[], options?: SendOptions): Promise<void>;
  retry(commandId: string): Promise<void>;
  discard(commandId: string): void;
  close(): void;
}

/** An arrived message that cannot be recognised must not stay on screen as outgoing. */
const forgetSentAfterMs = 3000;

export interface ConversationInput {
  taskId: TaskId;
  attemptId?: AttemptId | undefined;
  /** The newest page, if it is known. All events after it must still be delivered. */
  page?: ConversationPage | undefined;
}

/** One conversation kept current: the engine's view, fed by a page and by deliveries, a few updates a second. */
export function openConversation({ page: firstPage, ...input }: ConversationInput, ports: SessionPorts): ConversationSession {
  /** Ahead of the one in the snapshot by what is not visible. */
  let view = createConversationView(input);
  const snapshot = createExternalStore<SessionSnapshot>({
    view,
    error: null,
    loadingOlder: false,
    outgoing: [],
    window: null,
  });
  let closed = false;
  let loading: Promise<void> | null = null;

  const change = (changes: Partial<SessionSnapshot>): void => {
    if (closed) return;
    const next = { ...snapshot.get(), view, ...changes };
    view = next.view;
    snapshot.set({ ...next, outgoing: stillOutgoing(next.outgoing, next.view.state) });
  };
  const setView = (next: ConversationView): void => {
    // A message that was shown live is committed: only the position has moved.
    if (looksAlike(next, view)) view = next;
    // A part of another attempt's conversation does not belong here.
    else change(next.attemptId === view.attemptId ? { view: next } : { view: next, window: null });
    if (next.phase === "loading") void reload();
  };
  const batch = ports.createBatch((deliveries) => setView(applyDeliveries(view, deliveries)));
  const unsubscribe = ports.subscribe((delivery) => {
    if ("taskId" in delivery.event && delivery.event.taskId === input.taskId) batch.add(delivery);
  });

  const load = async (): Promise<void> => {
    await ports.streamSettled;
    for (let tries = 0; !closed && tries < 5; tries++) {
      const page = await ports.loadPage({ taskId: input.taskId, attemptId: input.attemptId });
      // Events that arrived meanwhile may be older or newer than the page: the view sorts them out.
      batch.flush();
      change({ view: applyPage(view, page), error: null });
      if (view.phase === "ready") return;
    }
  };
  const reload = (): Promise<void> => {
    loading ??= load().then(
      () => {
        loading = null;
      },
      (error: unknown) => {
        // Before listeners are notified: one of them may retry.
        loading = null;
        change({ error });
      },
    );
    return loading;
  };

  const setWindow = (window: HistoryWindow): void => change(joinWindow(view, window));
  /** One page at a time, for either direction: two would be put in the wrong order. */
  const extend = async (load: () => Promise<void>): Promise<void> => {
    if (snapshot.get().loadingOlder) return;
    change({ loadingOlder: true });
    try {
      await load();
    } catch {
      // Scrolling there again retries; the connection banner shows why it failed.
    } finally {
      change({ loadingOlder: false });
    }
  };

  const setOutgoing = (commandId: string, state: OutgoingMessage["state"]): void =>
    change({ outgoing: snapshot.get().outgoing.map((message) => (message.commandId === commandId ? { ...message, state } : message)) });
  const discard = (commandId: string): void =>
    change({ outgoing: snapshot.get().outgoing.filter((message) => message.commandId !== commandId) });
  // One after the other: a message that waits for the network is not overtaken by the next one.
  let lastDelivery = Promise.resolve();
  const deliver = (message: OutgoingMessage, options: SendOptions = {}): Promise<void> => {
    const delivery = lastDelivery.then(() => deliverNow(message, options));
    lastDelivery = delivery.catch(() => {});
    return delivery;
  };
  const deliverNow = async ({ commandId, text, images, steer }: OutgoingMessage, options: SendOptions): Promise<void> => {
    try {
      const result = await ports.send({
        id: commandId,
        message: text,
        ...(images.length > 0 ? { images: [...images] } : {}),
        ...(steer ? { steer } : {}),
      });
      setOutgoing(commandId, { kind: "sent", result });
      ports.schedule(() => discard(commandId), forgetSentAfterMs);
    } catch (error) {
      if (options.takesBackUnstored && findStorageCause(error) !== undefined) {
        discard(commandId);
        throw error;
      }
      setOutgoing(commandId, { kind: "failed", error });
    }
  };

  if (firstPage) change({ view: applyPage(view, firstPage) });
  if (view.phase !== "ready") void reload();
  return {
    snapshot,
    reload,
    discard,
    async loadOlder() {
      const { window } = snapshot.get();
      const first = (window ?? view.state).messages[0];
      const attemptId = view.attemptId;
      if (!(window?.hasOlder ?? view.hasMore) || !first || view.phase !== "ready" || attemptId === null) return;
      await extend(async () => {
        const page = await ports.loadPage({ taskId: input.taskId, attemptId, before: first.id });
        const now = snapshot.get();
        // another part is shown by now: the page does not belong before it
        if (now.window !== window) return;
        if (now.window) setWindow(prependPage(now.window, page));
        else change(detachWindow(applyOlderPage(view, page)));
      });
    },
    async loadNewer() {
      const { window } = snapshot.get();
      const last = window?.messages.at(-1);
      const attemptId = view.attemptId;
      if (!last || attemptId === null) return;
      await extend(async () => {
        const page = await ports.loadPage({ taskId: input.taskId, attemptId, from: last.id });
        const now = snapshot.get();
        if (now.window !== null && now.window === window) setWindow(appendPage(now.window, page));
      });
    },
    async showAround(messageId) {
      await loading;
      const { window } = snapshot.get();
      const attemptId = view.attemptId;
      if (attemptId === null || window?.messages.some(({ id }) => id === messageId)) return;
      if (view.state.messages.some(({ id }) => id === messageId)) return change({ window: null });
      const page = await ports.loadPage({ taskId: input.taskId, attemptId, around: messageId });
      setWindow({ messages: page.messages, hasOlder: page.hasMore });
    },
    showNewest: () => change({ window: null }),
    letGoOfOlder() {
      const { window, loadingOlder } = snapshot.get();
      if (window === null && !loadingOlder && view.state.messages.length > maxHeldMessages) {
        change({ view: keepNewestMessages(view, maxHeldMessages / 2) });
      }
    },
    async sendMessage(text, images = [], options = {}) {
      const { steer = false } = options;
      const message: OutgoingMessage = { commandId: ports.createCommandId(), text, images, steer, state: { kind: "sending" } };
      change({ outgoing: [...snapshot.get().outgoing, message], window: null });
      await deliver(message, options);
    },
    async retry(commandId) {
      const message = snapshot.get().outgoing.find((known) => known.commandId === commandId);
      if (message?.state.kind !== "failed") return;
      setOutgoing(commandId, { kind: "sending" });
      await deliver(message);
    },
    close() {
      closed = true;
      unsubscribe();
      batch.cancel();
    },
  };
}

function looksAlike(one: ConversationView, other: ConversationView): boolean {
  const { attemptId, phase, state, hasMore, list } = one;
  return (
    attemptId === other.attemptId && phase === other.phase && state === other.state && hasMore === other.hasMore && list === other.list
  );
}
