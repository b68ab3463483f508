import { useEffect } from "react";
import { createExternalStore, useStore } from "../state/external-store.ts";

/** How many agents wait for their person: a tab in the background shows it, whatever page it is on. */
export const titleBadge = createExternalStore(0);

/** The tab's title; a tab that needs its person says so first. */
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
