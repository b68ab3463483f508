import type { Delivery, EventType, Health, MessageGrowth, MessageReference, SkeinEvent } from "@skein/contracts";
import { ShownMessages } from "@skein/engine";
import { createExternalStore, type ExternalStore } from "./external-store.ts";
import type { ServerEvent, ServerEventsHandlers } from "./open-server-events.ts";

/** `offline` after several failures in a row; it goes on trying. */
export type ConnectionState = "connecting" | "live" | "reconnecting" | "offline";

export interface EventStreamOptions {
  /** Opens a connection; the result closes it. */
  open(url: string, handlers: ServerEventsHandlers): () => void;
  setTimer(action: () => void, ms: number): () => void;
  /** From 0 to below 1. */
  random(): number;
  /** Told when the stream is open again and the server could not be asked for what came in between. */
  onGap(): void;
  /** Told what the server says about itself; null when a connection opens, since a server says only what is wrong. */
  onHealth(health: Health | null): void;
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
  "inbox:changed": true,
  "task:created": true,
  "task:updated": true,
  "task:deleted": true,
  "project:created": true,
  "project:updated": true,
  "project:deleted": true,
};

/** A server that restarts is back within seconds: it is asked about once a second while that can still be. */
const delaysMs = [250, 400, 650, 1000];
const restartFailures = 30;
const laterMs = 5000;
/** Pages that lost the same server do not come back to it at the same moment. */
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
        if (received.type === "server:health") return options.onHealth(parse<Health>(received.data));
        const delivery = toDelivery(received, shown);
        if (delivery === "misfit") fail();
        else if (delivery) for (const listener of listeners) listener(delivery);
      },
      onEnd: fail,
    });
  };

  /** `misfit` is what cannot be put together on this connection: the next one gets it whole. */
  const toDelivery = ({ type, data, id }: ServerEvent, shown: ShownMessages): Delivery | "misfit" | null => {
    const seq = id === undefined ? null : toSequence(id);
    if (type === "message:committed") {
      const reference = parse<MessageReference>(data);
      if (!reference || seq === null) return null;
      lastSeq = seq;
      const event = shown.takeCommitted(reference);
      return event ? { seq, event } : null;
    }
    const growth = type === "message:grown" ? parse<MessageGrowth>(data) : null;
    const event = growth ? shown.fromGrowth(growth) : Object.hasOwn(eventTypes, type) ? parse<SkeinEvent>(data) : null;
    if (!event) return growth ? "misfit" : null;
    if (seq !== null) lastSeq = seq;
    const delivery: Delivery = seq === null ? { event } : { seq, event };
    shown.add(delivery);
    return delivery;
  };

  const fail = (): void => {
    close?.();
    close = null;
    failures++;
    // The first page may load now; what happens before the stream opens is asked for again then.
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
    start() {
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

function toSequence(id: string): number | null {
  const seq = id === "" ? Number.NaN : Number(id);
  return Number.isSafeInteger(seq) ? seq : null;
}

function parse<Value>(data: string): Value | null {
  try {
    return JSON.parse(data) as Value;
  } catch {
    return null;
  }
}
