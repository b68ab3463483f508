export interface FrameBatch<Item> {
  add(item: Item): void;
  /** Hands over at once what was collected. */
  flush(): void;
  cancel(): void;
}

export interface FrameScheduler {
  request(action: () => void): number;
  cancel(handle: number): void;
}

/** A hidden page gets no animation frames: a timer keeps it current, and its memory bounded. */
const browserScheduler: FrameScheduler = {
  request: (action) => (document.hidden ? -Number(setTimeout(action, 250)) : requestAnimationFrame(action)),
  cancel: (handle) => (handle < 0 ? clearTimeout(-handle) : cancelAnimationFrame(handle)),
};

/** Collects items and hands them over once per frame, so that hundreds of events a second cost one render each frame. */
export function createFrameBatch<Item>(apply: (items: Item[]) => void, scheduler: FrameScheduler = browserScheduler): FrameBatch<Item> {
  let items: Item[] = [];
  let handle: number | null = null;
  const hand = (): void => {
    handle = null;
    const ready = items;
    items = [];
    if (ready.length > 0) apply(ready);
  };
  return {
    add(item) {
      items.push(item);
      handle ??= scheduler.request(hand);
    },
    flush() {
      if (handle !== null) scheduler.cancel(handle);
      hand();
    },
    cancel() {
      if (handle !== null) scheduler.cancel(handle);
      handle = null;
      items = [];
    },
  };
}
