/** Frames that one client has not read yet. Bytes in the socket's own buffer do not count. */
export interface Outbox {
  readonly stream: ReadableStream<Uint8Array>;
  readonly isOpen: boolean;
  readonly isEmpty: boolean;
  /** Number of reads: a client whose number does not change is not reading. */
  readonly reads: number;
  /** Returns false if it does not fit because the client reads too slowly. A single frame always fits into an empty outbox. */
  push(frame: Uint8Array): boolean;
  /** Resolves when everything was read, or the stream has ended. */
  drained(): Promise<void>;
  /** Ends the stream after the remaining frames were read. */
  end(): void;
  /** Drops the remaining frames. */
  abort(): void;
}

const chunkBytes = 64 * 1024;

export function createOutbox(options: { maxBytes: number; onClose: () => void }): Outbox {
  let frames: Uint8Array[] = [];
  let bytes = 0;
  let reads = 0;
  let ending = false;
  let isOpen = true;
  let wakeReader = () => {};
  let drainWaiters: (() => void)[] = [];

  const settleDrained = () => {
    const waiters = drainWaiters;
    drainWaiters = [];
    for (const resolve of waiters) resolve();
  };
  const close = () => {
    if (!isOpen) return;
    isOpen = false;
    frames = [];
    bytes = 0;
    settleDrained();
    wakeReader();
    options.onClose();
  };

  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        while (isOpen && frames.length === 0 && !ending) {
          await new Promise<void>((resolve) => {
            wakeReader = resolve;
          });
        }
        if (frames.length === 0) {
          controller.close();
          close();
          return;
        }
        const chunk = takeChunk(frames);
        bytes -= chunk.byteLength;
        reads += 1;
        controller.enqueue(chunk);
        if (frames.length === 0) settleDrained();
      },
      cancel: close,
    },
    // no read-ahead: frames that the client has not requested are counted here
    { highWaterMark: 0 },
  );

  return {
    stream,
    get isOpen() {
      return isOpen && !ending;
    },
    get isEmpty() {
      return frames.length === 0;
    },
    get reads() {
      return reads;
    },
    push(frame) {
      if (!isOpen || ending) return true;
      if (bytes > 0 && bytes + frame.byteLength > options.maxBytes) return false;
      frames.push(frame);
      bytes += frame.byteLength;
      wakeReader();
      return true;
    },
    drained: () =>
      frames.length === 0
        ? Promise.resolve()
        : new Promise<void>((resolve) => {
            drainWaiters.push(resolve);
          }),
    end() {
      ending = true;
      wakeReader();
    },
    abort: close,
  };
}

/** Removes and joins as many frames as make an efficient write. */
function takeChunk(frames: Uint8Array[]): Uint8Array {
  let size = 0;
  let count = 0;
  for (const frame of frames) {
    if (count > 0 && size + frame.byteLength > chunkBytes) break;
    size += frame.byteLength;
    count += 1;
  }
  const taken = frames.splice(0, count);
  const [only] = taken;
  return taken.length === 1 && only !== undefined ? only : Buffer.concat(taken, size);
}
