/*
 * A message is sent in frames of a limited size, so that a long one does not delay the others:
 *
 *   byte 0      1 if it is the message's last frame, otherwise 0
 *   bytes 1-4   number of the message, big endian
 *   rest        a part of the message
 */

const headerBytes = 5;
/** Size of a frame's content. */
const partBytes = 64 * 1024;
/** Size of the largest frame that is accepted. */
export const maxFrameBytes = headerBytes + partBytes;

/** Memory that unfinished messages of the other side may use. */
const maxBufferedBytes = 256 * 1024 * 1024;
const maxUnfinished = 10_000;

/** The other side violates the protocol. The connection cannot be used any longer. */
export class LinkProtocolError extends Error {
  override readonly name = "LinkProtocolError";
}

/** Number of frames of a message. */
export function countFrames(message: Uint8Array): number {
  return Math.max(1, Math.ceil(message.length / partBytes));
}

/** The frame `at` (from 0) of a message. */
export function toFrame(message: Uint8Array, number: number, at: number): Uint8Array {
  const part = message.subarray(at * partBytes, (at + 1) * partBytes);
  const frame = new Uint8Array(headerBytes + part.length);
  const view = new DataView(frame.buffer);
  view.setUint8(0, at === countFrames(message) - 1 ? 1 : 0);
  view.setUint32(1, number);
  frame.set(part, headerBytes);
  return frame;
}

/** Assembles messages from frames. */
export function createAssembler(): (frame: Uint8Array) => Uint8Array | undefined {
  const unfinished = new Map<number, Uint8Array[]>();
  let buffered = 0;

  return (frame) => {
    if (frame.length < headerBytes || frame.length > maxFrameBytes) throw new LinkProtocolError(`a frame of ${frame.length} bytes`);
    const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength);
    const isLast = view.getUint8(0) === 1;
    const number = view.getUint32(1);
    const part = frame.subarray(headerBytes);
    const parts = unfinished.get(number) ?? [];
    if (isLast && parts.length === 0) return part;
    if (parts.length === 0 && unfinished.size >= maxUnfinished) throw new LinkProtocolError("too many unfinished messages");
    buffered += part.length;
    if (buffered > maxBufferedBytes) throw new LinkProtocolError(`messages of more than ${maxBufferedBytes} bytes`);
    parts.push(part);
    if (!isLast) {
      unfinished.set(number, parts);
      return undefined;
    }
    unfinished.delete(number);
    const whole = Buffer.concat(parts);
    buffered -= whole.length;
    return whole;
  };
}
