/**
 * A two-way connection that carries frames: a WebSocket, or a pair of queues in tests. Frames arrive whole, in order and once, until the
 * connection ends; a channel never reconnects.
 */
export interface Channel {
  /** Queues a frame. Ignored once the channel is closed. */
  send(frame: Uint8Array): void;
  /** Resolves when more may be sent; undefined if that is now. */
  whenWritable(): Promise<void> | undefined;
  /** Set once, before the first frame is delivered. */
  listen(listener: ChannelListener): void;
  /** Closes the connection at once. `reason` is for logs of both sides. */
  close(reason: string): void;
}

/** What a channel reports. Nothing follows `onClose`. */
export interface ChannelListener {
  onFrame(frame: Uint8Array): void;
  onClose(reason: string): void;
}
