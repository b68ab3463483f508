import type { Channel, ChannelListener } from "../link/channel.ts";

/** Two ends of a connection within a process. `cut` loses what is under way, as a broken network does. */
export function createMemoryChannels(): { ends: [Channel, Channel]; cut(): void } {
  const listeners: (ChannelListener | undefined)[] = [];
  const early: Uint8Array[][] = [[], []];
  let isClosed = false;

  function close(reason: string): void {
    if (isClosed) return;
    isClosed = true;
    for (const listener of listeners) listener?.onClose(reason);
  }

  const toEnd = (own: 0 | 1): Channel => {
    const other = own === 0 ? 1 : 0;
    return {
      send(frame) {
        const copy = Uint8Array.from(frame);
        queueMicrotask(() => {
          if (isClosed) return;
          const listener = listeners[other];
          if (listener === undefined) early[other]?.push(copy);
          else listener.onFrame(copy);
        });
      },
      whenWritable: () => undefined,
      listen(listener) {
        listeners[own] = listener;
        for (const frame of early[own]?.splice(0) ?? []) queueMicrotask(() => !isClosed && listener.onFrame(frame));
      },
      close: (reason) => queueMicrotask(() => close(reason)),
    };
  };
  return { ends: [toEnd(0), toEnd(1)], cut: () => close("cut") };
}
