export interface PacedBatch<Item> {
  /** An urgent item is applied at once, after those that wait. */
  add(item: Item, options?: { urgent: boolean }): void;
  /** Applies at once what waits. */
  flush(): void;
  cancel(): void;
}

/** Returns what takes it back. */
export type SetTimer = (action: () => void, ms: number) => () => void;

export const setBrowserTimer: SetTimer = (action, ms) => {
  const timer = setTimeout(action, ms);
  return () => clearTimeout(timer);
};

/**
 * Applies items in order: at once after a pause, in batches when they arrive in quick succession, so that hundreds of events a
 * second cost a few renders. Uses a timer: a hidden page gets no animation frames, and its queue would grow.
 */
export function createPacedBatch<Item>(
  apply: (items: Item[]) => void,
  { everyMs, setTimer = setBrowserTimer }: { everyMs: number; setTimer?: SetTimer },
): PacedBatch<Item> {
  let items: Item[] = [];
  let cancelTimer: (() => void) | null = null;

  const hand = (): void => {
    const ready = items;
    items = [];
    if (ready.length > 0) apply(ready);
  };
  const pause = (): void => {
    cancelTimer = setTimer(() => {
      cancelTimer = null;
      if (items.length === 0) return;
      pause();
      hand();
    }, everyMs);
  };

  return {
    add(item, { urgent } = { urgent: false }) {
      items.push(item);
      const isFirst = cancelTimer === null;
      if (isFirst) pause();
      if (isFirst || urgent) hand();
    },
    flush: hand,
    cancel() {
      cancelTimer?.();
      cancelTimer = null;
      items = [];
    },
  };
}
