import { useLayoutEffect, useRef } from "react";

/** Keys typed into a field, or into an open dialog or menu, belong to it. */
export function isTyping(event: KeyboardEvent): boolean {
  const target = event.target;
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.closest("input, textarea, select, [role=dialog], [role=menu], [role=listbox]") !== null;
}

/**
 * A single key anywhere on the page, without modifiers. It works from the moment that what it is for can be seen: a key that
 * is pressed in between must not be taken for another.
 */
export function useShortcut(key: string, action: () => void, enabled = true): void {
  const latest = useRef(action);
  useLayoutEffect(() => {
    latest.current = action;
  });
  useLayoutEffect(() => {
    if (!enabled) return;
    const listen = (event: KeyboardEvent) => {
      if (event.key !== key || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(event)) return;
      event.preventDefault();
      latest.current();
    };
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, [key, enabled]);
}
