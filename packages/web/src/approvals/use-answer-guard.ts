import { type RefCallback, useCallback, useEffect, useLayoutEffect, useMemo, useState } from "react";
import { useSettled } from "../ui/use-settled.ts";
import { createAnswerGuard, seenMs } from "./answer-guard.ts";
import { watchMoves } from "./watch-moves.ts";

export interface GuardedCard {
  /** For the element that contains the buttons. */
  actions: RefCallback<HTMLElement>;
  /** Clicks are accepted. */
  isReady: boolean;
  /** Keys are accepted: the card has also been the active one. */
  takesKeys: boolean;
}

/** Visible share of a row of buttons, or this many pixels of one that is taller than the screen. */
const mostOf = 0.6;
const enoughPixels = 40;

/**
 * Keeps a card from being answered before it was seen: a key that is held, or the second click of two, must not answer what has
 * just appeared in its place. `content` changes with whatever the user decides by. Every card that asks something uses it.
 */
export function useAnswerGuard({ content, active }: { content: unknown; active: boolean }): GuardedCard {
  const [isReady, setReady] = useState(false);
  const guard = useMemo(() => createAnswerGuard(setReady), []);
  const isSettled = useSettled(active, seenMs);
  useEffect(() => {
    const updateVisibility = () => guard.showPage(document.visibilityState === "visible");
    updateVisibility();
    document.addEventListener("visibilitychange", updateVisibility);
    return () => {
      document.removeEventListener("visibilitychange", updateVisibility);
      guard.stop();
    };
  }, [guard]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another content is another question
  useLayoutEffect(() => guard.restart(), [guard, content]);
  const actions = useCallback(
    (element: HTMLElement | null) => {
      if (!element) return;
      const observer = new IntersectionObserver(
        (entries) => {
          const last = entries.at(-1);
          if (last) guard.show(last.intersectionRatio >= mostOf || last.intersectionRect.height >= enoughPixels);
        },
        { threshold: [0, 0.25, mostOf, 1] },
      );
      observer.observe(element);
      const stopWatching = watchMoves(element, guard.restart);
      return () => {
        observer.disconnect();
        stopWatching();
        guard.show(false);
      };
    },
    [guard],
  );
  return { actions, isReady, takesKeys: isReady && active && isSettled };
}
