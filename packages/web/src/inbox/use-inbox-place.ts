import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import { keepChosen } from "./inbox-entries.ts";
import { inboxPlace } from "./inbox-place.ts";

const findEntry = (list: HTMLElement | null, id: string) => list?.querySelector<HTMLElement>(`[data-inbox="${CSS.escape(id)}"]`);

/**
 * Which entry is chosen, and where the list is scrolled to: kept when one leaves and comes back, and when entries come and go. The
 * chosen one has the focus, unless a field or a button has it.
 */
export function useInboxPlace(
  {
    ids,
    isComplete,
  }: { ids: readonly string[] /** Until it is, the first of those that are there may not be the first. */; isComplete: boolean },
  list: RefObject<HTMLElement | null>,
) {
  const place = useRef(inboxPlace.read());
  const [wanted, setWanted] = useState(place.current.chosen);
  const isKnown = isComplete || (wanted !== null && ids.includes(wanted));
  const chosen = isKnown ? keepChosen(ids, place.current.listed, wanted) : null;
  const isShown = ids.length > 0;

  // Before the next effect, which would keep the top of a list that has just been drawn.
  useLayoutEffect(() => {
    const scroller = list.current?.closest("main");
    if (!scroller || !isShown) return;
    scroller.scrollTop = place.current.scrollTop;
    const keep = () => {
      place.current = { ...place.current, scrollTop: scroller.scrollTop };
      inboxPlace.write(place.current);
    };
    scroller.addEventListener("scroll", keep, { passive: true });
    return () => scroller.removeEventListener("scroll", keep);
  }, [isShown, list]);

  useEffect(() => {
    if (chosen === null) return;
    setWanted(chosen);
    place.current = { ...place.current, chosen, listed: ids };
    inboxPlace.write(place.current);
  }, [chosen, ids]);

  // What had the focus is gone: the one that took its place has it, so that the next key is for it.
  useLayoutEffect(() => {
    const { activeElement } = document;
    // a touch screen has no keys to give to it
    if (matchMedia("(pointer: coarse)").matches) return;
    if (chosen !== null && (activeElement === null || activeElement === document.body)) {
      findEntry(list.current, chosen)?.focus({ preventScroll: true });
    }
  }, [chosen, list]);

  return {
    chosen,
    choose: (id: string) => setWanted(id),
    go(step: number) {
      const at = chosen === null ? 0 : ids.indexOf(chosen);
      const next = ids[Math.min(Math.max(at + step, 0), ids.length - 1)];
      if (next !== undefined) findEntry(list.current, next)?.focus();
    },
  };
}
