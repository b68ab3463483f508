import type { Delivery, Health, MessageGrowth, MessageReference, SkeinEvent } from "@skein/contracts";

const encoder = new TextEncoder();
const encoded = new WeakMap<Delivery, Uint8Array>();
const grown = new WeakMap<SkeinEvent, { from: number; seq: number | undefined; frame: Uint8Array }>();

/** Encodes one server-sent event. Live events have no `id`: a client cannot resume from an uncommitted event. */
export function toFrame(event: SkeinEvent, seq: number | undefined): Uint8Array {
  const id = seq === undefined ? "" : `id: ${seq}\n`;
  return encoder.encode(`${id}event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
}

/** Encodes a delivery once for all clients. */
export function toSharedFrame(delivery: Delivery): Uint8Array {
  const known = encoded.get(delivery);
  if (known !== undefined) return known;
  const frame = toFrame(delivery.event, delivery.seq);
  encoded.set(delivery, frame);
  return frame;
}

/** For clients that have the previous revision. Clients with the same revision share the bytes. */
export function toGrowthFrame({ seq, event }: Delivery, growth: MessageGrowth): Uint8Array {
  const known = grown.get(event);
  if (known !== undefined && known.from === growth.from && known.seq === seq) return known.frame;
  const frame = encoder.encode(`${seq === undefined ? "" : `id: ${seq}\n`}event: message:grown\ndata: ${JSON.stringify(growth)}\n\n`);
  grown.set(event, { from: growth.from, seq, frame });
  return frame;
}

/** For a client that already has the message. */
export function toReferenceFrame(seq: number, reference: MessageReference): Uint8Array {
  return encoder.encode(`id: ${seq}\nevent: message:committed\ndata: ${JSON.stringify(reference)}\n\n`);
}

/** The server's health: sent when it changes, and to clients that connect during a fault. */
export function toHealthFrame(health: Health): Uint8Array {
  return encoder.encode(`event: server:health\ndata: ${JSON.stringify({ type: "server:health", ...health })}\n\n`);
}

export const openingFrame: Uint8Array = encoder.encode("retry: 1000\n: connected\n\n");
export const heartbeatFrame: Uint8Array = encoder.encode(":\n\n");

/** Moves the client's Last-Event-ID without an event. */
export function toPositionFrame(seq: number): Uint8Array {
  return encoder.encode(`id: ${seq}\n\n`);
}
