import type { Delivery, StorageFault } from "@skein/contracts";
import { notifyManager, QueryCache, QueryClient } from "@tanstack/react-query";
import { isUnauthorized, type UnreadableError } from "../api/api-error.ts";
import { loadWireSchemas } from "../api/load-wire-schemas.ts";
import { projectsQuery } from "../api/queries.ts";
import { isTransient } from "../api/retry.ts";
import { sessionSecret, sessionSecretKey } from "../api/session-secret.ts";
import { changesActivity, recentActivity } from "../api/task-activity.ts";
import { teamMode } from "../preferences/team-mode.ts";
import { createExternalStore } from "../state/external-store.ts";
import { applyEventsToCache } from "./apply-event-to-cache.ts";
import { createEventStream } from "./event-stream.ts";
import { openServerEvents } from "./open-server-events.ts";
import { createPacedBatch, setBrowserTimer } from "./paced-batch.ts";
import { parseStreamEvent } from "./parse-stream-event.ts";

/** False once the server answered that this browser is not signed in. */
export const signedIn = createExternalStore(true);

/** True when this page was opened with a launch link that no longer works. */
export const launchLinkFailed = createExternalStore(false);

export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error) => {
      if (isUnauthorized(error)) signedIn.set(false);
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: Number.POSITIVE_INFINITY,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      // The connection banner reports the network; a paused query would hang without a message.
      networkMode: "always",
      retry: (failures, error) => failures < 2 && isTransient(error),
    },
    mutations: { networkMode: "always" },
  },
});

/** Counts gaps. Conversations are not in the query cache; whoever shows one reloads it when this changes. */
export const gaps = createExternalStore(0);

/** Why the server cannot store anything; null while it can. */
export const storageFault = createExternalStore<StorageFault | null>(null);

/** The last event that did not fit its schema: this page is older than the server. What it shows may be out of date. */
export const unreadableEvent = createExternalStore<UnreadableError | null>(null);

export const eventStream = createEventStream({
  open: (url, handlers) =>
    openServerEvents(url, { ...handlers, loadParser: async () => parseStreamEvent.bind(null, await loadWireSchemas()) }),
  setTimer: setBrowserTimer,
  random: Math.random,
  onGap: () => {
    gaps.set(gaps.get() + 1);
    recentActivity.clear();
    void queryClient.invalidateQueries();
  },
  onHealth: (health) => storageFault.set(health?.problem?.cause ?? null),
  // A refused stream looks like a broken one: only a request shows whether this browser is still signed in.
  onUnreadable: (error) => {
    console.error(error);
    unreadableEvent.set(error);
  },
  onFailure: () => void queryClient.refetchQueries({ queryKey: projectsQuery.queryKey }),
});

/** A window that shows notifications stays connected while it is hidden. */
export const keepConnected = createExternalStore(false);

/** A browser opens six connections to a server over HTTP/1.1: hidden tabs must not use them up. */
const releaseHiddenAfterMs = 60_000;

/** Twenty agents start and end tools a hundred times a second, and each event redraws the lists. */
const foldEveryMs = 200;

const folding = createPacedBatch<Delivery>((deliveries) => notifyManager.batch(() => applyEventsToCache(queryClient, deliveries)), {
  everyMs: foldEveryMs,
});

/** Of several seconds, whatever twenty agents do. */
const keptEvents = 500;
let recentEvents: Delivery[] = [];

/**
 * Folds events again that came after event `seq`: a cache that was empty until now, and is filled with an answer as of that event,
 * lacks them.
 */
export function foldAgain(seq: number): void {
  const missed = recentEvents.filter((delivery) => delivery.seq !== undefined && delivery.seq > seq);
  if (missed.length > 0) notifyManager.batch(() => applyEventsToCache(queryClient, missed));
}

/** One connection, for as long as the page is visible. `after`: the last event that the page has. */
export function startLive(after: number | undefined): void {
  eventStream.subscribe((delivery) => {
    recentActivity.add(delivery);
    const { type } = delivery.event;
    if (type !== "message:added") recentEvents = [...recentEvents.slice(1 - keptEvents), delivery];
    if (type !== "message:added" || changesActivity(delivery)) {
      folding.add(delivery, { urgent: type !== "message:added" && type !== "state:conversation-sync" });
    }
  });
  const start = () => signedIn.get() && eventStream.start(after);
  start();
  followSession();
  addEventListener("online", () => eventStream.retryNow());
  let hiddenTimer: ReturnType<typeof setTimeout> | undefined;
  document.addEventListener("visibilitychange", () => {
    clearTimeout(hiddenTimer);
    if (document.hidden) {
      hiddenTimer = setTimeout(() => !keepConnected.get() && eventStream.stop(), releaseHiddenAfterMs);
    } else {
      start();
      eventStream.retryNow();
    }
  });
  // A page in the back-forward cache must not hold one of the few connections.
  addEventListener("pagehide", () => eventStream.stop());
  addEventListener("pageshow", start);
}

/** All tabs of a browser share one session: a sign-in or sign-out in one applies to the others at once. */
function followSession(): void {
  signedIn.subscribe(() => {
    if (!signedIn.get()) return eventStream.stop();
    // it may be another user, who must not see what is left of the one before
    if (teamMode.isOn()) return location.reload();
    launchLinkFailed.set(false);
    void queryClient.invalidateQueries();
    if (!document.hidden) eventStream.start();
  });
  addEventListener("storage", ({ key }) => {
    if (key === sessionSecretKey || key === null) signedIn.set(sessionSecret.get() !== null);
  });
}
