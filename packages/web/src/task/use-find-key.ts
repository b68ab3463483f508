import { useEffect, useRef } from "react";

/** Ctrl or ⌘+F searches the conversation. In the find bar, a dialog or a side pane it is left to the browser. */
export function useFindKey(onFind: () => void): void {
  const latest = useRef(onFind);
  useEffect(() => {
    latest.current = onFind;
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key !== "f" || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
      const target = event.target instanceof Element ? event.target : null;
      if (target?.closest("search, [role=dialog], [role=tabpanel]")) return;
      event.preventDefault();
      latest.current();
    };
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);
}
