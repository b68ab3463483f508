import { useRouter } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { findFocusTarget, toFocusSelector } from "./page-focus.ts";

/** A page may be drawn some frames after the navigation, and a dialog that closes may take the focus from it. */
const maxFrames = 30;

/**
 * Moves the focus to the page that was navigated to: to its heading, or, on the way back, to what had the focus there. Without it the
 * focus would be on nothing, and a screen reader silent. A page that gives the focus to a field of its own keeps it there. Returns the
 * title of that page, to be announced.
 */
export function usePageFocus(): string {
  const router = useRouter();
  const [announced, setAnnounced] = useState("");
  useEffect(() => {
    /** By the key of a history entry. */
    const remembered = new Map<string, string>();
    let frame = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const cancel = (): void => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
    const leave = router.subscribe("onBeforeNavigate", ({ fromLocation, pathChanged }) => {
      const selector = pathChanged ? toFocusSelector(document.activeElement) : undefined;
      const key = fromLocation?.state.__TSR_key;
      if (key !== undefined && selector !== undefined) remembered.set(key, selector);
    });
    const arrive = router.subscribe("onRendered", ({ fromLocation, toLocation, pathChanged }) => {
      if (!fromLocation || !pathChanged) return;
      cancel();
      setAnnounced("");
      const selector = remembered.get(toLocation.state.__TSR_key ?? "");
      const move = (framesLeft: number): void => {
        const { activeElement } = document;
        if (activeElement?.closest("#content") && activeElement.id !== "content") {
          if (activeElement.localName !== "h1") setAnnounced(document.title);
          return;
        }
        const target = activeElement?.closest("[role=dialog]") ? null : findFocusTarget(document, selector);
        if (target && target !== activeElement) {
          if (target.tabIndex < 0) target.tabIndex = -1;
          target.focus({ preventScroll: selector === undefined });
        }
        if (framesLeft > 0) moveLater(framesLeft - 1);
      };
      // After a frame: giving the focus lays out the page, which would delay its first one.
      const moveLater = (framesLeft: number): void => {
        frame = requestAnimationFrame(() => {
          timer = setTimeout(() => move(framesLeft));
        });
      };
      moveLater(maxFrames);
    });
    return () => {
      leave();
      arrive();
      cancel();
    };
  }, [router]);
  return announced;
}
