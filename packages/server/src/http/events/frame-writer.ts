import type { Delivery, MergeMode, SkeinEvent } from "@skein/contracts";
import { projectMessage, ShownMessages } from "@skein/engine";
import { toFrame, toGrowthFrame, toPositionFrame, toReferenceFrame, toSharedFrame } from "./sse-frame.ts";

/** Encodes events for one client. */
export interface FrameWriter {
  /** Encodes a past event. An event that the merge mode hides still moves the client's position. */
  writePast(event: SkeinEvent, seq: number | undefined): Uint8Array;
  /** Encodes a live event. Empty if the merge mode hides it and there is no position to move. */
  writeDelivery(delivery: Delivery): Uint8Array;
}

/**
 * Most clients use `live`: events are encoded once for all of them. In the other modes each message is projected (T2). With
 * `shortRepeats`, a message that this client was shown and that is committed unchanged is sent by id only, and a growing text as its
 * added part.
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

/** One event may become several or none. The last frame carries the position, so that a client that disconnects midway receives all of them again. */
function toProjectedFrames(event: SkeinEvent, seq: number | undefined, mode: MergeMode): Uint8Array {
  if (event.type !== "message:added") return toFrame(event, seq);
  const messages = projectMessage(event.message, mode);
  if (messages.length === 0) return seq === undefined ? new Uint8Array() : toPositionFrame(seq);
  return Buffer.concat(messages.map((message, index) => toFrame({ ...event, message }, index === messages.length - 1 ? seq : undefined)));
}
