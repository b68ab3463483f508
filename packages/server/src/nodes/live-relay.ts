import { type AttemptId, type ConversationMessage, type Delivery, eventSchema, type NodeId, type TaskId } from "@skein/contracts";
import type { StoredNode } from "@skein/engine";
import { z } from "zod";
import type { EventHub } from "../events/event-hub.ts";
import type { Logger } from "../logger.ts";
import type { NodeMembership } from "./join-nodes.ts";
import { nodeHeader } from "./node-header.ts";

/** A line of the stream between servers. `after`: the last committed event that the sender had published before. */
export const liveLineSchema = z.object({ after: z.int().nonnegative(), event: eventSchema });
export type LiveLine = z.infer<typeof liveLineSchema>;

/** What is known about an attempt whose agent runs at another server. */
interface RemoteAttempt {
  taskId: TaskId;
  /** Shown, not committed. */
  shown: Map<string, ConversationMessage>;
  /** Committed revisions, and ids that were replaced: what arrives late must not show them again. */
  settled: Map<string, number>;
  endedAt: number;
}

/**
 * Receives the live updates of the other servers and shows them to the clients of this one, in order with what is committed.
 */
export interface LiveRelay {
  messages(attemptId: AttemptId): ConversationMessage[];
  deliveries(query: { taskId?: TaskId }): Delivery[];
  /** Whether it came from another server: it is not passed on. */
  isRelayed(delivery: Delivery): boolean;
  close(): void;
}

/** `lastSeq`: the last committed event at the start. */
export function createLiveRelay(input: {
  hub: EventHub;
  membership: NodeMembership;
  lastSeq: number;
  secret: string;
  logger: Logger;
}): LiveRelay {
  const { hub, membership, logger } = input;
  const attempts = new Map<AttemptId, RemoteAttempt>();
  const connections = new Map<NodeId, AbortController>();
  const relayed = new WeakSet<Delivery>();
  let published = input.lastSeq;
  let waiting: { line: LiveLine; nodeId: NodeId }[] = [];
  let isClosed = false;

  const open = (attemptId: AttemptId, taskId: TaskId): RemoteAttempt => {
    const known = attempts.get(attemptId);
    if (known !== undefined) return known;
    const fresh: RemoteAttempt = { taskId, shown: new Map(), settled: new Map(), endedAt: 0 };
    attempts.set(attemptId, fresh);
    return fresh;
  };

  /** Keeps up with what is committed. */
  function settle({ seq, event }: Delivery): void {
    if (seq === undefined) return;
    published = Math.max(published, seq);
    if (event.type === "execution:completed") {
      const attempt = attempts.get(event.attemptId);
      attempt?.shown.clear();
      attempt?.settled.clear();
      if (attempt !== undefined) attempt.endedAt = seq;
    } else if (event.type === "message:added") {
      const { id, revision } = event.message;
      const replaces = event.message.messageType === "tool_execution" ? (event.message.metadata.replaces ?? []) : [];
      const attempt = open(event.attemptId, event.taskId);
      attempt.settled.set(id, revision);
      for (const gone of replaces) attempt.settled.set(gone, Number.POSITIVE_INFINITY);
      for (const one of [id, ...replaces]) {
        const shown = attempt.shown.get(one);
        if (shown !== undefined && shown.revision <= (attempt.settled.get(one) ?? 0)) attempt.shown.delete(one);
      }
    }
    if (waiting.length === 0) return;
    const ready = waiting.filter(({ line }) => line.after <= published);
    waiting = waiting.filter(({ line }) => line.after > published);
    // after the other listeners have seen this event
    queueMicrotask(() => {
      for (const { line } of ready) show(line);
    });
  }

  function show({ after, event }: LiveLine): void {
    if (event.type !== "message:added") return;
    const attempt = open(event.attemptId, event.taskId);
    const { message } = event;
    if (attempt.endedAt > after || (attempt.settled.get(message.id) ?? -1) >= message.revision) return;
    // a server that continues an execution reads again what the one before has shown
    if ((attempt.shown.get(message.id)?.revision ?? -1) >= message.revision) return;
    attempt.shown.set(message.id, message);
    const delivery: Delivery = { event };
    relayed.add(delivery);
    hub.publish(delivery);
  }

  function receive(text: string, nodeId: NodeId): void {
    const line = liveLineSchema.parse(JSON.parse(text));
    if (line.after > published) waiting.push({ line, nodeId });
    else show(line);
  }

  async function follow({ id, internalUrl }: StoredNode, { signal }: AbortController): Promise<void> {
    const response = await fetch(new URL("/api/nodes/live", internalUrl), { headers: { [nodeHeader]: input.secret }, signal });
    if (!response.ok || response.body === null) throw new Error(`the server answered ${response.status}`);
    let rest = "";
    for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + chunk).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) if (line !== "") receive(line, id);
    }
  }

  function connect(): void {
    for (const [id, connection] of connections) if (!membership.find(id)?.isAlive) connection.abort();
    for (const node of membership.list()) {
      if (isClosed || node.id === membership.id || !node.isAlive || node.internalUrl === "" || connections.has(node.id)) continue;
      const connection = new AbortController();
      connections.set(node.id, connection);
      follow(node, connection)
        // tried again with the next renewal; until then, what is committed is shown
        .catch(
          (error: unknown) =>
            !connection.signal.aborted && logger.info("the live messages of another server end", { nodeId: node.id, error }),
        )
        .finally(() => {
          connections.delete(node.id);
          waiting = waiting.filter(({ nodeId }) => nodeId !== node.id);
          // what was shown stays: it is in the log of that server, which will commit it
        });
    }
  }

  const stopSettling = hub.subscribe(settle);
  const stopWatching = membership.onRenewed(connect);
  return {
    messages: (attemptId) => [...(attempts.get(attemptId)?.shown.values() ?? [])],
    deliveries({ taskId }) {
      return [...attempts].flatMap(([attemptId, attempt]) =>
        taskId !== undefined && attempt.taskId !== taskId
          ? []
          : [...attempt.shown.values()].map(
              (message): Delivery => ({
                event: { type: "message:added", taskId: attempt.taskId, attemptId, message },
              }),
            ),
      );
    },
    isRelayed: (delivery) => relayed.has(delivery),
    close() {
      isClosed = true;
      stopSettling();
      stopWatching();
      for (const connection of connections.values()) connection.abort();
    },
  };
}
