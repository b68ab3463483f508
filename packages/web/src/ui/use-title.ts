import { useEffect } from "react";

/** The tab's title; a tab that needs its person says so first. */
export function useTitle(title: string | undefined, { mark = "" }: { mark?: string } = {}): void {
  useEffect(() => {
    document.title = [mark, title, "Skein"].filter(Boolean).join(" · ");
    return () => {
      document.title = "Skein";
    };
  }, [title, mark]);
}
