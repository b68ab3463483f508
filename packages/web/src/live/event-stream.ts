import type { EventType, MessageReference, SkeinEvent } from "@skein/contracts";
import { createExternalStore, type ExternalStore } from "./external-store.ts";
import { createShownMessages } from "./shown-messages.ts";

/** Without `seq` the event is live: shown from memory, not yet committed. */
export interface Delivery {
  seq?: number;
  event: SkeinEvent;
}

/** `offline` after several failures in a row; it goes on trying. */
export type ConnectionState = "connecting" | "live" | "reconnecting" | "offline";

/** The part of EventSource that is used, so that a test can stand in for it. */
export interface EventSourceLike {
  addEventListener(type: string, listener: (event: { data?: unknown; lastEventId?: string }) => void): void;
  close(): void;
}

export interface EventStreamOptions {
  open(url: string): EventSourceLike;
  setTimer(action: () => void, ms: number): () => void;
  /** Told when the stream is open again and the server could not be asked for what came in between. */
  onGap(): void;
  /** Told at every failure; the app looks whether it is still signed in. */
  onFailure(): void;
}

export interface EventStream {
  state: ExternalStore<ConnectionState>;
  /** Deliveries from now on, in order. Returns the removal. */
  subscribe(listener: (delivery: Delivery) => void): () => void;
  /** Resolves when the stream is open, or when opening failed for the first time: the app then shows what it can load. */
  settled: Promise<void>;
  start(): void;
  /** Tries at once: the network came back, the page became visible. */
  retryNow(): void;
  /** Gives the connection up; `start` goes on where it stopped. */
  stop(): void;
}

const eventTypes: Record<EventType, true> = {
  "execution:started": true,
  "execution:completed": true,
  "message:added": true,
  "state:conversation-sync": true,
  "task:status-changed": true,
  "task:attempt-created": true,
  "task:attempt-updated": true,
  "approval:requested": true,
  "approval:resolved": true,
  "queue:changed": true,
  "task:created": true,
  "task:updated": true,
  "task:deleted": true,
  "project:created": true,
  "project:updated": true,
  "project:deleted": true,
};

const delaysMs = [250, 500, 1000, 2000, 4000, 8000];
const failuresUntilOffline = 3;

/**
 * One connection for the whole app. The browser's own reconnecting gives up after an HTTP error and hides its state, so
 * each failure closes the source and a new one asks for everything after the last number seen.
 */
export function createEventStream(options: EventStreamOptions): EventStream {
  const state = createExternalStore<ConnectionState>("connecting");
  const listeners = new Set<(delivery: Delivery) => void>();
  const settled = Promise.withResolvers<void>();
  let source: EventSourceLike | null = null;
  let cancelTimer: (() => void) | null = null;
  let lastSeq: number | null = null;
  let failures = 0;
  let wasOpen = false;

  const connect = (): void => {
    cancelTimer?.();
    cancelTimer = null;
    let numbered = false;
    const shown = createShownMessages();
    const opened = options.open(`/api/events?repeats=short&mergeMode=live${lastSeq === null ? "" : `&after=${lastSeq}`}`);
    source = opened;
    opened.addEventListener("open", () => {
      if (source !== opened) return;
      failures = 0;
      state.set("live");
      if (wasOpen && lastSeq === null) options.onGap();
      wasOpen = true;
      settled.resolve();
    });
    opened.addEventListener("error", () => {
      if (source === opened) fail();
    });
    for (const type of Object.keys(eventTypes)) {
      opened.addEventListener(type, ({ data, lastEventId }) => {
        const event = source === opened ? parse<SkeinEvent>(data) : null;
        if (!event) return;
        const delivery = number(event, lastEventId ?? "", { first: !numbered });
        numbered ||= lastEventId !== undefined && lastEventId !== "";
        shown.add(delivery);
        tell(delivery);
      });
    }
    opened.addEventListener("message:committed", ({ data, lastEventId }) => {
      const reference = source === opened ? parse<MessageReference>(data) : null;
      const seq = Number(lastEventId);
      if (!reference || !Number.isSafeInteger(seq)) return;
      numbered = true;
      lastSeq = seq;
      const event = shown.take(reference);
      if (event) tell({ seq, event });
    });
  };

  const tell = (delivery: Delivery): void => {
    for (const listener of listeners) listener(delivery);
  };

  /**
   * The browser repeats the last id for an event that has none, and takes over an id that came without an event. So an id seen
   * before is not the event's own; nor, perhaps, is the first one of a connection: a message (only messages are shown
   * before they are committed) is then taken as live, which its revision keeps right either way.
   */
  const number = (event: SkeinEvent, lastEventId: string, { first }: { first: boolean }): Delivery => {
    const seq = lastEventId === "" ? Number.NaN : Number(lastEventId);
    if (!Number.isSafeInteger(seq) || seq === lastSeq) return { event };
    lastSeq = seq;
    return first && event.type === "message:added" ? { event } : { seq, event };
  };

  const fail = (): void => {
    source?.close();
    source = null;
    failures++;
    // The first page may load now; what happens before the stream opens is asked for again then.
    if (!wasOpen) wasOpen = true;
    settled.resolve();
    state.set(failures >= failuresUntilOffline ? "offline" : "reconnecting");
    options.onFailure();
    cancelTimer = options.setTimer(connect, delaysMs[Math.min(failures, delaysMs.length) - 1] ?? 8000);
  };

  return {
    state,
    settled: settled.promise,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    start() {
      if (!source && !cancelTimer) connect();
    },
    retryNow() {
      if (!source && cancelTimer) connect();
    },
    stop() {
      cancelTimer?.();
      cancelTimer = null;
      source?.close();
      source = null;
      state.set("connecting");
    },
  };
}

function parse<Value>(data: unknown): Value | null {
  try {
    return typeof data === "string" ? (JSON.parse(data) as Value) : null;
  } catch {
    return null;
  }
}
