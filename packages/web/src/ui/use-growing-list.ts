import { type RefCallback, startTransition, useCallback, useState } from "react";

export interface GrowingListOptions {
  /** How many items are added at a time. */
  step: number;
  /** Of an item, in pixels: the first render draws what fits on the screen. */
  smallestHeight: number;
  /** Drawn wherever it is in the list: fast keyboard navigation may reach it before it is on the screen. */
  wanted?: string | null;
}

/**
 * The beginning of a long list, and more of it when its end comes near the screen: a board of thousands of tasks is there, and
 * answers a key, as fast as one of a hundred.
 */
export function useGrowingList<Item extends { id: string }>(
  items: readonly Item[],
  { step, smallestHeight, wanted = null }: GrowingListOptions,
): { shown: readonly Item[]; sentinel: RefCallback<HTMLElement> | null } {
  const [count, setCount] = useState(() => Math.min(step, Math.ceil(innerHeight / smallestHeight)));
  const sentinel = useCallback(
    (element: HTMLElement | null) => {
      if (!element) return;
      const observer = new IntersectionObserver(
        (entries) => {
          if (entries.some(({ isIntersecting }) => isIntersecting)) startTransition(() => setCount((known) => known + step));
        },
        // Loads more before the end is visible, so that scrolling and keyboard navigation do not stop there.
        { rootMargin: "1000px" },
      );
      observer.observe(element);
      return () => observer.disconnect();
    },
    [step],
  );
  const at = wanted === null ? -1 : items.findIndex(({ id }) => id === wanted);
  const length = Math.max(count, at === -1 ? 0 : at + step);
  const isWhole = items.length <= length;
  return { shown: isWhole ? items : items.slice(0, length), sentinel: isWhole ? null : sentinel };
}
