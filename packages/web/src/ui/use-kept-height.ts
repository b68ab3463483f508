import { type CSSProperties, type RefObject, useEffect, useRef } from "react";

/** The last height of each place, in pixels. */
const heights = new Map<string, number>();

/**
 * The room that a part of a page takes before it is mounted: as much as it took the last time, so that nothing moves. For the element
 * around it.
 */
export function useKeptHeight(
  place: string,
  { isMounted, atFirst }: { isMounted: boolean; atFirst: number },
): { ref: RefObject<HTMLDivElement | null>; style: CSSProperties | undefined } {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isMounted || ref.current === null) return;
    const observer = new ResizeObserver(([entry]) => {
      const height = entry?.borderBoxSize[0]?.blockSize;
      if (height) heights.set(place, height);
    });
    observer.observe(ref.current);
    return () => observer.disconnect();
  }, [place, isMounted]);
  return { ref, style: isMounted ? undefined : { minHeight: heights.get(place) ?? atFirst } };
}
