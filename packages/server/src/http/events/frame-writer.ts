import type { Delivery, MergeMode, SkeinEvent } from "@skein/contracts";
import { projectMessage, ShownMessages } from "@skein/engine";
import { toFrame, toGrowthFrame, toPositionFrame, toReferenceFrame, toSharedFrame } from "./sse-frame.ts";

/** Writes events as one client wants to see them. */
export interface FrameWriter {
  /** An event of the past; one that is not for this client's merge mode still moves its position. */
  writePast(event: SkeinEvent, seq: number | undefined): Uint8Array;
  /** An event as it happens. Empty where the merge mode hides it and nothing has to be recorded. */
  writeDelivery(delivery: Delivery): Uint8Array;
}

/**
 * `live` is what most clients use: events are encoded once for all of them. In the other modes each message is projected (T2).
 * With `shortRepeats`, a message that this client was shown and that is committed unchanged is only named, and of a text that grows
 * what was added is sent.
 */
export function createFrameWriter({ mergeMode, shortRepeats }: { mergeMode: MergeMode; shortRepeats: boolean }): FrameWriter {
  if (mergeMode === "live") return { writePast: toFrame, writeDelivery: shortRepeats ? createShortFrames() : toSharedFrame };
  const write = (event: SkeinEvent, seq: number | undefined): Uint8Array => toProjectedFrames(event, seq, mergeMode);
  return { writePast: write, writeDelivery: ({ event, seq }) => write(event, seq) };
}

function createShortFrames(): (delivery: Delivery) => Uint8Array {
  const shown = new ShownMessages();
  return (delivery) => {
    const { seq, event } = delivery;
    if (event.type !== "message:added") return toSharedFrame(delivery);
    if (seq !== undefined) {
      const reference = { attemptId: event.attemptId, messageId: event.message.id, revision: event.message.revision };
      if (shown.takeCommitted(reference) !== undefined) return toReferenceFrame(seq, reference);
    }
    const growth = shown.toGrowth(event);
    shown.add(delivery);
    return growth === undefined ? toSharedFrame(delivery) : toGrowthFrame(delivery, growth);
  };
}

/** One event may become several, or none: the last frame carries the position, so that a cut in the middle repeats the whole event. */
function toProjectedFrames(event: SkeinEvent, seq: number | undefined, mode: MergeMode): Uint8Array {
  if (event.type !== "message:added") return toFrame(event, seq);
  const messages = projectMessage(event.message, mode);
  if (messages.length === 0) return seq === undefined ? new Uint8Array() : toPositionFrame(seq);
  return Buffer.concat(messages.map((message, index) => toFrame({ ...event, message }, index === messages.length - 1 ? seq : undefined)));
}
