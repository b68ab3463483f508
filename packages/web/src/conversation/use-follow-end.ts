import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { followsEnd, isAtEnd, type ScrollPosition } from "./stick-to-end.ts";

export interface FollowEnd {
  /** For the button that leads back. */
  atEnd: boolean;
  onScroll(): void;
  toEnd(): void;
  /** Keeps the position although the content changes: the user opened something to read it. */
  letGo(): void;
}

/**
 * Keeps a scrolling element at its end, until the user scrolls up. `size` changes whenever its content does. Where it does
 * not reach to the real end, what is loaded below must not pull it down.
 */
export function useFollowEnd(
  element: RefObject<HTMLElement | null>,
  size: unknown,
  { reachesEnd, startsAtEnd = true }: { reachesEnd: boolean; startsAtEnd?: boolean },
): FollowEnd {
  const following = useRef(startsAtEnd);
  const last = useRef<ScrollPosition>({ top: 0, height: 0, viewport: 0 });
  const [atEnd, setAtEnd] = useState(true);
  const settle = useCallback(() => {
    const scroller = element.current;
    if (!scroller) return;
    if (!reachesEnd) following.current = false;
    if (following.current) scroller.scrollTop = scroller.scrollHeight;
    last.current = positionOf(scroller);
    setAtEnd(reachesEnd && isAtEnd(last.current));
  }, [element, reachesEnd]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs again for every new size
  useLayoutEffect(settle, [settle, size]);

  // Another width changes the line breaks.
  useEffect(() => {
    if (!element.current) return;
    const observer = new ResizeObserver(settle);
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element, settle]);

  return {
    atEnd,
    onScroll() {
      if (!element.current) return;
      const now = positionOf(element.current);
      following.current = reachesEnd && followsEnd(following.current, last.current, now);
      last.current = now;
      setAtEnd(reachesEnd && isAtEnd(now));
    },
    toEnd() {
      following.current = true;
      settle();
    },
    letGo() {
      following.current = false;
    },
  };
}

function positionOf({ scrollTop, scrollHeight, clientHeight }: HTMLElement): ScrollPosition {
  return { top: scrollTop, height: scrollHeight, viewport: clientHeight };
}
