import { type RefObject, useEffect, useRef } from "react";

/** How far below and above the view something is drawn already, in pixels. */
const margin = 800;

/** Calls `onNear` once, when the element comes near what is in view. */
export function useNearView(element: RefObject<Element | null>, onNear: () => void, enabled: boolean): void {
  const latest = useRef(onNear);
  latest.current = onNear;
  useEffect(() => {
    if (!enabled || !element.current) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some((entry) => entry.isIntersecting)) return;
        observer.disconnect();
        latest.current();
      },
      { rootMargin: `${margin}px 0px` },
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element, enabled]);
}
