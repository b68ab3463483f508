import type { ApiToken } from "@skein/contracts";
import type { Logger } from "../../logger.ts";
import type { Services } from "../../services/services.ts";
import { findToken } from "../../team/viewer.ts";
import type { HttpLimits } from "../http-limits.ts";
import { HttpProblem } from "../http-problem.ts";
import type { EventStreamInput } from "../route.ts";
import type { Caller } from "../security/access.ts";
import type { SessionId } from "../security/sessions.ts";
import { createOutbox, type Outbox } from "./outbox.ts";
import { heartbeatFrame, openingFrame, toHealthFrame } from "./sse-frame.ts";
import { streamEvents } from "./stream-events.ts";

export interface EventClients {
  open(input: EventStreamInput): Response;
  count(): number;
  /** Ends the streams of browsers whose session has ended. */
  endSignedOut(): void;
  /** Ends every stream; browsers reconnect automatically. */
  endAll(): void;
}

/** Heartbeats without a read before a client counts as gone: a large event may take long on a slow connection. */
const maxStillBeats = 4;

export function createEventClients(options: {
  services: Pick<Services, "events" | "conversation" | "tasks" | "lastHealth" | "onHealthChanged">;
  limits: HttpLimits;
  logger: Logger;
  now: () => number;
  hasUsers: boolean;
  isSessionOpen: (id: SessionId) => boolean;
  isTokenOpen: (token: ApiToken) => Promise<boolean>;
}): EventClients {
  const { limits, logger } = options;
  const clients = new Map<Outbox, Caller>();
  options.services.onHealthChanged((health) => {
    for (const client of clients.keys()) client.push(toHealthFrame(health));
  });
  const isSignedOut = (caller: Caller) =>
    caller.kind === "user" || caller.kind === "token"
      ? caller.expiresAt <= options.now()
      : caller.kind === "browser" && !options.isSessionOpen(caller.session);
  // each stream was opened with the rights of that moment: its client opens it again, with those that it has now
  if (options.hasUsers)
    options.services.events.subscribe(({ event }) => {
      if (event.type !== "access:changed") return;
      for (const [client, caller] of [...clients]) if (caller.kind === "user" && caller.user.id === event.userId) client.end();
    });

  return {
    count: () => clients.size,
    open({ services, after, taskId, shortRepeats, mergeMode, caller, disconnect }) {
      if (clients.size >= limits.eventClients) {
        throw new HttpProblem({
          status: 503,
          text: { code: "too-many-event-clients", count: clients.size },
          headers: { "retry-after": "5" },
        });
      }
      const outbox = createOutbox({
        maxBytes: limits.eventClientBytes,
        onClose() {
          clients.delete(outbox);
          clearInterval(heartbeat);
          source.stop();
        },
      });
      /** A token may be revoked, or its execution may end. */
      const endRevoked = async (token: ApiToken) => {
        if (!(await options.isTokenOpen(token).catch(() => true))) outbox.end();
      };
      const cut = (reason: string) => {
        if (!outbox.isOpen) return;
        logger.warn("an event client was disconnected", { reason });
        outbox.abort();
        disconnect();
      };
      let readsBefore = 0;
      let stillBeats = 0;
      const heartbeat = setInterval(() => {
        stillBeats = outbox.isEmpty || outbox.reads !== readsBefore ? 0 : stillBeats + 1;
        readsBefore = outbox.reads;
        const token = caller.kind === "token" || caller.kind === "user" ? findToken(caller) : undefined;
        if (token !== undefined) void endRevoked(token);
        if (isSignedOut(caller)) outbox.end();
        else if (outbox.isEmpty) outbox.push(heartbeatFrame);
        else if (stillBeats >= maxStillBeats) cut("it does not read");
      }, limits.heartbeatMs);
      heartbeat.unref();
      outbox.push(openingFrame);
      const health = options.services.lastHealth();
      if (health.status !== "ready") outbox.push(toHealthFrame(health));
      const source = streamEvents({
        ...options,
        services,
        outbox,
        after,
        taskId,
        shortRepeats,
        mergeMode,
        onTooSlow: () => cut("it reads too slowly"),
      });
      clients.set(outbox, caller);
      source.caughtUp.catch((error: unknown) => {
        logger.error("events could not be read", { error });
        outbox.end();
      });
      // the connection closes with the stream, so that closing the server need not wait until it is idle
      const headers = { "content-type": "text/event-stream", connection: "close", "x-accel-buffering": "no" };
      return new Response(outbox.stream, { headers });
    },
    endSignedOut() {
      for (const [client, caller] of [...clients]) if (isSignedOut(caller)) client.end();
    },
    endAll() {
      for (const client of [...clients.keys()]) client.end();
    },
  };
}
