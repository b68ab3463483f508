import { QueryCache, QueryClient } from "@tanstack/react-query";
import { isUnauthorized } from "../api/api-error.ts";
import { projectsQuery } from "../api/queries.ts";
import { isTransient } from "../api/retry.ts";
import { applyEventToCache } from "./apply-event-to-cache.ts";
import { createEventStream } from "./event-stream.ts";
import { createExternalStore } from "./external-store.ts";
import { recentActivity } from "./task-activity.ts";

/** False once the server answered that this browser is not signed in. */
export const signedIn = createExternalStore(true);

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

export const eventStream = createEventStream({
  open: (url) => new EventSource(url),
  setTimer: (action, ms) => {
    const timer = setTimeout(action, ms);
    return () => clearTimeout(timer);
  },
  onGap: () => {
    gaps.set(gaps.get() + 1);
    recentActivity.clear();
    void queryClient.invalidateQueries();
  },
  // A refused stream looks like a broken one: only a request tells whether this browser is still signed in.
  onFailure: () => void queryClient.refetchQueries({ queryKey: projectsQuery.queryKey }),
});

/** A window that calls its person must hear of things also while nobody looks at it. */
export const keepConnected = createExternalStore(false);

/** A browser opens six connections to a server over HTTP/1.1: tabs that nobody looks at must not use them up. */
const releaseHiddenAfterMs = 60_000;

/** One connection, for as long as the page is looked at. */
export function startLive(): void {
  eventStream.subscribe((delivery) => {
    recentActivity.add(delivery);
    applyEventToCache(queryClient, delivery.event, delivery.seq);
  });
  eventStream.start();
  addEventListener("online", () => eventStream.retryNow());
  let hiddenTimer: ReturnType<typeof setTimeout> | undefined;
  document.addEventListener("visibilitychange", () => {
    clearTimeout(hiddenTimer);
    if (document.hidden) {
      hiddenTimer = setTimeout(() => !keepConnected.get() && eventStream.stop(), releaseHiddenAfterMs);
    } else {
      eventStream.start();
      eventStream.retryNow();
    }
  });
  // A page kept for the back button must not hold one of the few connections.
  addEventListener("pagehide", () => eventStream.stop());
  addEventListener("pageshow", () => eventStream.start());
}
