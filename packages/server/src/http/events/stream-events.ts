import { setImmediate as nextTurn } from "node:timers/promises";
import type { Delivery, MergeMode, SkeinEvent, TaskId } from "@skein/contracts";
import { ServiceError } from "@skein/engine";
import type { Services } from "../../services/services.ts";
import type { HttpLimits } from "../http-limits.ts";
import { createFrameWriter } from "./frame-writer.ts";
import type { Outbox } from "./outbox.ts";
import { createRecentEvents, isCommitted } from "./recent-events.ts";
import { replayPage } from "./replay-page.ts";
import { toPositionFrame } from "./sse-frame.ts";

export interface EventStreamOptions {
  services: Pick<Services, "events" | "conversation" | "tasks">;
  outbox: Outbox;
  /** The last sequence number that the client has; undefined for new events only. */
  after: number | undefined;
  taskId: TaskId | undefined;
  shortRepeats: boolean;
  mergeMode: MergeMode;
  limits: Pick<HttpLimits, "replayEvents" | "eventClientBytes">;
  /** Called if the client reads too slowly. */
  onTooSlow: () => void;
}

const syncMessages = 200;

/**
 * Sends to one client the events it missed, then uncommitted messages, then events as they happen. Each committed event is sent once,
 * in order. It subscribes first, so that no event is lost between replay and live. `caughtUp` resolves when the client is up to date;
 * `stop` ends the subscription.
 */
export function streamEvents(options: EventStreamOptions): { caughtUp: Promise<void>; stop: () => void } {
  const { services, outbox, taskId } = options;
  const recent = createRecentEvents({ maxBytes: options.limits.eventClientBytes / 2 });
  const writer = createFrameWriter(options);
  let cursor = 0;
  let isLive = false;

  /** False if the client already has it. */
  const advance = (delivery: Delivery): boolean => {
    if (delivery.seq === undefined) return true;
    if (delivery.seq <= cursor) return false;
    cursor = delivery.seq;
    return true;
  };
  const sendLive = (delivery: Delivery) => {
    if (!advance(delivery)) return;
    const frame = writer.writeDelivery(delivery);
    if (frame.length > 0 && !outbox.push(frame)) options.onTooSlow();
  };
  /** Replays at the client's own speed. */
  const sendPast = async (frame: Uint8Array) => {
    while (!outbox.push(frame)) await outbox.drained();
  };

  const stop = services.events.subscribe((delivery) => {
    if (taskId !== undefined && taskIdOf(delivery.event) !== taskId) return;
    if (isLive) sendLive(delivery);
    else if (isCommitted(delivery)) recent.add(delivery);
  });

  const replayNextPage = async () => {
    const goal = recent.coveredFrom;
    const page = await replayPage(services, { after: cursor, taskId });
    for (const { seq, event } of page) {
      await sendPast(writer.writePast(event, seq));
      cursor = seq;
    }
    // nothing is left for this client up to the goal
    if (page.length === 0) cursor = goal;
    await nextTurn();
  };

  /** Only the last frame moves the position: a client that disconnects midway requests the whole gap again. */
  const sync = async (after: number, upTo: number) => {
    let previous: SkeinEvent | undefined;
    for await (const event of taskId === undefined
      ? services.events.missed({ after })
      : missedOfTask(services, { ...options, after, taskId })) {
      if (!outbox.isOpen) return;
      if (previous !== undefined) await sendPast(writer.writePast(previous, undefined));
      previous = event;
    }
    await sendPast(previous === undefined ? toPositionFrame(upTo) : writer.writePast(previous, upTo));
    cursor = upTo;
  };

  const catchUp = async () => {
    const lastSeq = await services.events.lastSeq();
    recent.startAt(lastSeq);
    const after = options.after ?? lastSeq;
    if (options.after === undefined) {
      cursor = lastSeq;
      await sendPast(toPositionFrame(lastSeq));
    } else if (after > lastSeq) await sync(0, lastSeq);
    else if (lastSeq - after > options.limits.replayEvents) await sync(after, lastSeq);
    else cursor = after;
    while (outbox.isOpen && (cursor < recent.coveredFrom || !outbox.isEmpty)) {
      if (cursor < recent.coveredFrom) await replayNextPage();
      else await outbox.drained();
    }
    // no await from here to the end: an event in between would be duplicated or lost
    const rest = [...recent.take(), ...services.events.live(taskId === undefined ? {} : { taskId })].filter(advance);
    // one frame fits whatever its size: disconnecting here would make the client retry the same forever
    if (rest.length > 0) outbox.push(Buffer.concat(rest.map(writer.writeDelivery)));
    isLive = true;
  };

  return { caughtUp: catchUp(), stop };
}

function taskIdOf(event: SkeinEvent): TaskId | undefined {
  return "taskId" in event ? event.taskId : undefined;
}

/** A client of one task gets its conversation, up to one page. */
async function* missedOfTask(
  services: EventStreamOptions["services"],
  { taskId, after, mergeMode }: { taskId: TaskId; after: number; mergeMode: MergeMode },
): AsyncGenerator<SkeinEvent> {
  try {
    const { activity: _, ...task } = await services.tasks.get(taskId);
    yield { type: "task:updated", taskId, task };
    const { lastSeq: __, hasMore: ___, ...state } = await services.conversation.page({ taskId, limit: syncMessages, mergeMode });
    yield { type: "state:conversation-sync", taskId, state };
  } catch (error) {
    if (!(error instanceof ServiceError && error.kind === "not-found")) throw error;
    // the task was deleted: only that event is left
    for (const { event } of await replayPage(services, { after, taskId })) yield event;
  }
}
