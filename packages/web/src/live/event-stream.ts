import type { Delivery, Health } from "@skein/contracts";
import { ShownMessages } from "@skein/engine";
import type { UnreadableError } from "../api/api-error.ts";
import { createExternalStore, type ExternalStore } from "../state/external-store.ts";
import type { ServerEventsHandlers } from "./open-server-events.ts";
import type { StreamEvent } from "./parse-stream-event.ts";

/** `offline` after several failures in a row; it keeps trying. */
export type ConnectionState = "connecting" | "live" | "reconnecting" | "offline";

export interface EventStreamOptions {
  /** Opens a connection; the result closes it. */
  open(url: string, handlers: ServerEventsHandlers<StreamEvent>): () => void;
  setTimer(action: () => void, ms: number): () => void;
  /** From 0 to below 1. */
  random(): number;
  /** Called when the stream is open again and events in between may be missing. */
  onGap(): void;
  /** Called with the state that the server reports; with null when a connection opens, since a server reports only faults. */
  onHealth(health: Health | null): void;
  /** Called at every failure; the app checks whether it is still signed in. */
  onFailure(): void;
  /** Called with an event that does not fit its schema. It is skipped. */
  onUnreadable(error: UnreadableError): void;
}

export interface EventStream {
  state: ExternalStore<ConnectionState>;
  /** Deliveries from now on, in order. Returns the removal. */
  subscribe(listener: (delivery: Delivery) => void): () => void;
  /** Resolves when the stream is open, or when opening it failed for the first time: the app then shows what it can load. */
  settled: Promise<void>;
  /** `after`: the number of the last event that the page has; those that follow it are sent. Without it, only new ones are. */
  start(after?: number): void;
  /** Connects at once: the network is back, or the page became visible. */
  retryNow(): void;
  /** Closes the connection; `start` resumes after the last event. */
  stop(): void;
}

/** A restarting server is back within seconds: until then it is tried about once a second. */
const delaysMs = [250, 400, 650, 1000];
const restartFailures = 30;
const laterMs = 5000;
/** Keeps pages that lost the same server from reconnecting at the same moment. */
const jitter = 0.25;
const failuresUntilOffline = 3;

/** One connection for the whole app. After each failure a new one asks for everything after the last number seen. */
export function createEventStream(options: EventStreamOptions): EventStream {
  const state = createExternalStore<ConnectionState>("connecting");
  const listeners = new Set<(delivery: Delivery) => void>();
  const settled = Promise.withResolvers<void>();
  let close: (() => void) | null = null;
  let cancelTimer: (() => void) | null = null;
  let lastSeq: number | null = null;
  let failures = 0;
  let wasOpen = false;

  const connect = (): void => {
    cancelTimer?.();
    cancelTimer = null;
    const shown = new ShownMessages();
    close = options.open(`/api/events?repeats=short&mergeMode=live${lastSeq === null ? "" : `&after=${lastSeq}`}`, {
      onOpen() {
        failures = 0;
        state.set("live");
        options.onHealth(null);
        if (wasOpen && lastSeq === null) options.onGap();
        wasOpen = true;
        settled.resolve();
      },
      onEvent(received) {
        const delivery = toDelivery(received, shown);
        if (delivery === "misfit") fail();
        else if (delivery) for (const listener of listeners) listener(delivery);
      },
      onEnd: fail,
    });
  };

  /** `misfit`: a growth of a text that this connection was not sent. The next connection gets the message whole. */
  const toDelivery = (received: StreamEvent, shown: ShownMessages): Delivery | "misfit" | undefined => {
    const { kind, seq } = received;
    if (kind === "health") return void options.onHealth(received.health);
    if (kind === "unreadable") return void options.onUnreadable(received.error);
    if (kind === "committed") {
      if (seq === null) return;
      lastSeq = seq;
      const event = shown.takeCommitted(received.reference);
      return event && { seq, event };
    }
    const event = kind === "grown" ? shown.fromGrowth(received.growth) : received.event;
    if (!event) return "misfit";
    if (seq !== null) lastSeq = seq;
    const delivery: Delivery = seq === null ? { event } : { seq, event };
    shown.add(delivery);
    return delivery;
  };

  const fail = (): void => {
    close?.();
    close = null;
    failures++;
    // The first page may load now; events before the stream opens count as a gap.
    if (!wasOpen) wasOpen = true;
    settled.resolve();
    state.set(failures >= failuresUntilOffline ? "offline" : "reconnecting");
    options.onFailure();
    const delay = failures > restartFailures ? laterMs : (delaysMs[Math.min(failures, delaysMs.length) - 1] ?? laterMs);
    cancelTimer = options.setTimer(connect, Math.round(delay * (1 - jitter + 2 * jitter * options.random())));
  };

  return {
    state,
    settled: settled.promise,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    start(after) {
      lastSeq ??= after ?? null;
      if (!close && !cancelTimer) connect();
    },
    retryNow() {
      if (!close && cancelTimer) connect();
    },
    stop() {
      cancelTimer?.();
      cancelTimer = null;
      close?.();
      close = null;
      state.set("connecting");
    },
  };
}
