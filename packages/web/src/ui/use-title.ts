import { useEffect } from "react";
import { createExternalStore, useStore } from "../state/external-store.ts";

/** How many agents wait for an answer: shown in the tab's title on every page. */
export const titleBadge = createExternalStore(0);

/** The tab's title; what waits for an answer comes first. */
export function useTitle(title: string | undefined, { mark = "" }: { mark?: string } = {}): void {
  const badge = useStore(titleBadge);
  useEffect(() => {
    const count = badge > 0 ? `(${badge})` : "";
    const words = [mark, title, "Skein"].filter(Boolean).join(" · ");
    document.title = [count, words].filter(Boolean).join(" ");
    return () => {
      document.title = [count, "Skein"].filter(Boolean).join(" ");
    };
  }, [title, mark, badge]);
}
