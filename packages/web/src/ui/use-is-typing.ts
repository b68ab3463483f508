import { useSyncExternalStore } from "react";
import { isField } from "./use-shortcut.ts";

/** Whether keys go into a field: what names a key that would not work then does not name it. */
export function useIsTyping(): boolean {
  return useSyncExternalStore(subscribe, () => isField(document.activeElement));
}

function subscribe(onChange: () => void): () => void {
  document.addEventListener("focusin", onChange);
  document.addEventListener("focusout", onChange);
  return () => {
    document.removeEventListener("focusin", onChange);
    document.removeEventListener("focusout", onChange);
  };
}
