import type { Delivery, StorageFault } from "@skein/contracts";
import { notifyManager, QueryCache, QueryClient } from "@tanstack/react-query";
import { isUnauthorized } from "../api/api-error.ts";
import { projectsQuery } from "../api/queries.ts";
import { isTransient } from "../api/retry.ts";
import { sessionSecret, sessionSecretKey } from "../api/session-secret.ts";
import { applyEventsToCache } from "./apply-event-to-cache.ts";
import { createEventStream } from "./event-stream.ts";
import { createExternalStore } from "./external-store.ts";
import { openServerEvents } from "./open-server-events.ts";
import { createPacedBatch, setBrowserTimer } from "./paced-batch.ts";
import { recentActivity, tellsActivity } from "./task-activity.ts";

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
      // The connection banner tells about the network; a query paused by it would hang without a word.
      networkMode: "always",
      retry: (failures, error) => failures < 2 && isTransient(error),
    },
    mutations: { networkMode: "always" },
  },
});

/** Conversations are not in the query cache; who shows one is told to load it again. */
export const gaps = createExternalStore(0);

/** What keeps the server from storing anything; null while nothing does. */
export const storageFault = createExternalStore<StorageFault | null>(null);

export const eventStream = createEventStream({
  open: openServerEvents,
  setTimer: setBrowserTimer,
  random: Math.random,
  onGap: () => {
    gaps.set(gaps.get() + 1);
    recentActivity.clear();
    void queryClient.invalidateQueries();
  },
  onHealth: (health) => storageFault.set(health?.problem?.cause ?? null),
  // A refused stream looks like a broken one: only a request tells whether this browser is still signed in.
  onFailure: () => void queryClient.refetchQueries({ queryKey: projectsQuery.queryKey }),
});

/** A window that calls its person must hear of things also while nobody looks at it. */
export const keepConnected = createExternalStore(false);

/** A browser opens six connections to a server over HTTP/1.1: tabs that nobody looks at must not use them up. */
const releaseHiddenAfterMs = 60_000;

/** Twenty agents at work start and end tools a hundred times a second: nobody reads that fast, and each draws the lists anew. */
const foldEveryMs = 200;

const folding = createPacedBatch<Delivery>((deliveries) => notifyManager.batch(() => applyEventsToCache(queryClient, deliveries)), {
  everyMs: foldEveryMs,
});

/** One connection, for as long as the page is looked at. */
export function startLive(): void {
  eventStream.subscribe((delivery) => {
    recentActivity.add(delivery);
    const { type } = delivery.event;
    if (type !== "message:added" || tellsActivity(delivery)) {
      folding.add(delivery, { urgent: type !== "message:added" && type !== "state:conversation-sync" });
    }
  });
  const start = () => signedIn.get() && eventStream.start();
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
  // A page kept for the back button must not hold one of the few connections.
  addEventListener("pagehide", () => eventStream.stop());
  addEventListener("pageshow", start);
}

/** All tabs of a browser share one session: what one of them does about it holds for the others at once. */
function followSession(): void {
  signedIn.subscribe(() => {
    if (!signedIn.get()) return eventStream.stop();
    launchLinkFailed.set(false);
    void queryClient.invalidateQueries();
    if (!document.hidden) eventStream.start();
  });
  addEventListener("storage", ({ key }) => {
    if (key === sessionSecretKey || key === null) signedIn.set(sessionSecret.get() !== null);
  });
}
