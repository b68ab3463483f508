import { useSyncExternalStore } from "react";
import { isField } from "./use-shortcut.ts";

/** Whether keys are typed into a field: hints for shortcuts that do not work then are hidden. */
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
